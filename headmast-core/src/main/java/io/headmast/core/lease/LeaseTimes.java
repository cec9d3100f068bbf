// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.lease;

import java.time.Duration;

/**
 * The moments of a lease's life that follow from its TTL.
 *
 * @param renewEvery how long after an answered renewal the next one is sent: TTL/3
 * @param retryEvery how often it is sent again until one is answered: TTL/30, so that trouble may last almost until the
 *     margin begins
 * @param stopMargin how long before the lapse its owner begins to stop: TTL/5
 * @param safeFor how long after the sending of an answered renewal its owner may act: TTL less one per cent for clock
 *     rates, less the margin
 */
public record LeaseTimes(Duration renewEvery, Duration retryEvery, Duration stopMargin, Duration safeFor) {
    public static LeaseTimes of(Duration ttl) {
        Duration margin = ttl.dividedBy(5);
        return new LeaseTimes(
                ttl.dividedBy(3),
                ttl.dividedBy(30),
                margin,
                ttl.multipliedBy(99).dividedBy(100).minus(margin));
    }
}
