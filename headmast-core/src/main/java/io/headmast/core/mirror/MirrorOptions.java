// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * @param resyncEvery how often everything is listed again to repair what a watch may have lost; each time is up to a
 *     fifth longer at random, so that many mirrors don't do it at once
 * @param silenceLimit how long a watch may give neither an event nor a progress answer before it counts as dead; it is
 *     asked for progress three times within that
 * @param random for jitter only
 */
public record MirrorOptions(Duration resyncEvery, Duration silenceLimit, RandomGenerator random) {
    public static final Duration RESYNC_EVERY = Duration.ofMinutes(5);
    public static final Duration SILENCE_LIMIT = Duration.ofSeconds(3);

    /** The defaults of a server or worker. */
    public static MirrorOptions standard(RandomGenerator random) {
        return new MirrorOptions(RESYNC_EVERY, SILENCE_LIMIT, random);
    }
}
