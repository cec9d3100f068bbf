// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

/**
 * How jobs get their workers.
 *
 * @param rebalanceRate how many running jobs a second may move for the sake of evenness, if the policy rebalances; 0 for
 *     none
 */
public record Scheduling(SchedulePolicy policy, int rebalanceRate) {
    public static final int DEFAULT_REBALANCE_RATE = 20;
    public static final int MAX_REBALANCE_RATE = 1_000;

    public Scheduling {
        if (rebalanceRate < 0 || rebalanceRate > MAX_REBALANCE_RATE) {
            throw new IllegalArgumentException("not between 0 and " + MAX_REBALANCE_RATE + ": " + rebalanceRate);
        }
    }

    public static Scheduling of(SchedulePolicy policy) {
        return new Scheduling(policy, DEFAULT_REBALANCE_RATE);
    }
}
