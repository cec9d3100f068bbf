// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.core.store.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** What the way from one process to the store is like at the moment: faults set it. */
public final class Weather {
    private static final Duration FAST = Duration.ofMillis(3);

    /** The chance in a thousand that something becomes of a call that shouldn't. */
    private int loss;

    private boolean requestsCut;
    private boolean answersCut;
    private boolean refused;
    private Duration lag = Duration.ZERO;
    private int repeats;
    private int cutsWhenCreated;
    private boolean requestsLate;
    private Predicate<WatchEvent> losesNext = Weather::isNone;

    void clear() {
        loss = 0;
        requestsCut = false;
        answersCut = false;
        refused = false;
        lag = Duration.ZERO;
        repeats = 0;
        cutsWhenCreated = 0;
        requestsLate = false;
        losesNext = Weather::isNone;
    }

    /** Requests and answers of calls are lost, or come late, so many in a thousand. */
    public void loseCalls(int perMille) {
        loss = perMille;
    }

    void cut(boolean requests, boolean answers) {
        requestsCut = requests;
        answersCut = answers;
    }

    /** The store refuses every call. */
    public void refuse(boolean value) {
        refused = value;
    }

    /** Watches bring events late. */
    public void delayEvents(Duration most) {
        lag = most;
    }

    /** Watches bring events twice, so many in a thousand. */
    public void repeatEvents(int perMille) {
        repeats = perMille;
    }

    /** So many of the next watches break after they were created, before they bring anything. */
    public void breakWhenCreated(int watches) {
        cutsWhenCreated = watches;
    }

    /** A watch passes over such events when they come next, which a store must never do. */
    public void loseNext(Predicate<WatchEvent> lost) {
        losesNext = lost;
    }

    /** Every request comes long after its sender gave up. */
    public void delayRequests(boolean value) {
        requestsLate = value;
    }

    boolean requestsCut() {
        return requestsCut;
    }

    boolean answersCut() {
        return answersCut;
    }

    boolean refused() {
        return refused;
    }

    Fate fate(RandomGenerator random) {
        if (requestsLate) {
            return Fate.REQUEST_LATE;
        }
        if (loss == 0 || random.nextInt(1000) >= loss) {
            return Fate.DELIVERED;
        }
        return switch (random.nextInt(5)) {
            case 0 -> Fate.REQUEST_LOST;
            case 1, 2 -> Fate.REQUEST_LATE;
            default -> Fate.ANSWER_LOST;
        };
    }

    private static boolean isNone(WatchEvent event) {
        return false;
    }

    Duration travel(RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(FAST.toNanos()));
    }

    Duration lag(RandomGenerator random) {
        return lag.isZero() ? travel(random) : Duration.ofNanos(random.nextLong(lag.toNanos()));
    }

    boolean repeats(RandomGenerator random) {
        return repeats > 0 && random.nextInt(1000) < repeats;
    }

    boolean breaksWhenCreated() {
        boolean breaks = cutsWhenCreated > 0;
        cutsWhenCreated -= breaks ? 1 : 0;
        return breaks;
    }

    /** Some of these events, if the watch is to pass over the rest. */
    List<WatchEvent> seen(List<WatchEvent> events) {
        List<WatchEvent> seen = events.stream().filter(losesNext.negate()).toList();
        if (seen.size() < events.size()) {
            losesNext = Weather::isNone;
        }
        return seen;
    }

    /** What becomes of a call. */
    enum Fate {
        DELIVERED,
        REQUEST_LOST,
        /** It comes to the store long after the caller gave up. */
        REQUEST_LATE,
        ANSWER_LOST
    }
}
