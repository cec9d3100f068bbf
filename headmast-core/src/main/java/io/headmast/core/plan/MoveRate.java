// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.time.Duration;
import java.time.Instant;

/**
 * How many moves may begin: {@code perSecond} in the long run, and never more than a tenth of that (at least one) more
 * within any second. Time comes in as data; a clock that was set back costs a pause of one move.
 */
final class MoveRate {
    private static final Duration SLACK = Duration.ofMillis(100);

    private final Duration interval;

    /** When the moves that were begun would all have had their time. */
    private Instant spent = Instant.MIN;

    /** @param perSecond positive */
    MoveRate(int perSecond) {
        interval = Duration.ofSeconds(1).dividedBy(perSecond);
    }

    /** Whether a move may begin. */
    boolean allows(Instant now) {
        if (spent.isAfter(now.plus(SLACK).plus(interval))) {
            spent = now.plus(interval);
        }
        return !spent.isAfter(now.plus(slack()));
    }

    /** A move begins. */
    void take(Instant now) {
        spent = (spent.isAfter(now) ? spent : now).plus(interval);
    }

    /** From when on a move may begin, as long as none does. */
    Instant next() {
        return spent.minus(slack());
    }

    private Duration slack() {
        Duration slack = SLACK.minus(interval);
        return slack.isNegative() ? Duration.ZERO : slack;
    }
}
