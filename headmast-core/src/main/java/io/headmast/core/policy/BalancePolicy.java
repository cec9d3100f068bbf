// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Job;
import java.util.Optional;

/**
 * {@code balance}: the eligible worker with the least weight relative to its capacity; ties go to the lower reported
 * load, then to the lower id. A worker without a capacity counts as one of {@value Candidate#NOMINAL_CAPACITY}.
 */
public final class BalancePolicy implements SchedulePolicy {
    public static final String NAME = "balance";

    @Override
    public String name() {
        return NAME;
    }

    /** A worker that joins gets its share of what runs already. */
    @Override
    public boolean rebalances() {
        return true;
    }

    @Override
    public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
        return candidates.leastUtilised().map(Candidate::workerId);
    }
}
