// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.packing;

import io.headmast.api.Job;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * {@code pack}: fills one worker before the next, so that the others become free and can be switched off. The fullest
 * worker that still has room gets the job; ties go to the lower id. Give the workers a capacity: one without takes
 * everything.
 *
 * <p>Linear in the workers that may have the job, which is felt with thousands of them.
 */
public final class PackPolicy implements SchedulePolicy {
    private static final Comparator<Candidate> EMPTIEST_FIRST = Comparator.comparingDouble(Candidate::utilisation)
            .thenComparing(Candidate::workerId, Comparator.reverseOrder());

    @Override
    public String name() {
        return "pack";
    }

    @Override
    public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
        return StreamSupport.stream(candidates.inIdOrder().spliterator(), false)
                .max(EMPTIEST_FIRST)
                .map(Candidate::workerId);
    }
}
