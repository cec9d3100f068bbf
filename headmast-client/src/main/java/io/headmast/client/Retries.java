// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.time.Duration;

/**
 * How a call is repeated that met trouble on its way. Every server is tried once in a round, without a pause between
 * them; between rounds the client waits: {@code minPause} at first, twice as long each time up to {@code maxPause},
 * shortened at random by up to a half so that many clients don't come back at once. When a server says how long to wait,
 * that counts instead, up to {@code maxPause}.
 *
 * @param rounds how often all servers are tried; 1 for no repetition
 */
public record Retries(int rounds, Duration minPause, Duration maxPause) {
    /** Three rounds, 100 ms and 2 s. */
    public static final Retries DEFAULT = new Retries(3, Duration.ofMillis(100), Duration.ofSeconds(2));

    /** One round: other servers are tried still. */
    public static final Retries NONE = new Retries(1, Duration.ZERO, Duration.ZERO);

    private static final int MAX_ROUNDS = 100;

    /** @throws HeadmastException.Invalid naming what is at fault */
    public Retries {
        if (rounds < 1 || rounds > MAX_ROUNDS) {
            throw new HeadmastException.Invalid("retries.rounds", "must lie between 1 and " + MAX_ROUNDS);
        }
        if (minPause.isNegative() || minPause.compareTo(maxPause) > 0) {
            throw new HeadmastException.Invalid("retries.minPause", "must lie between 0s and maxPause");
        }
    }

    /**
     * The pause after a round.
     *
     * @param round counts from 1
     * @param random from 0 to 1
     */
    Duration pauseAfter(int round, double random) {
        Duration pause = minPause;
        for (int i = 1; i < round && pause.compareTo(maxPause) < 0 && !pause.isZero(); i++) {
            pause = pause.multipliedBy(2);
        }
        long nanos = atMost(pause).toNanos();
        return Duration.ofNanos(nanos - (long) (nanos / 2.0 * random));
    }

    Duration atMost(Duration pause) {
        return pause.compareTo(maxPause) < 0 ? pause : maxPause;
    }
}
