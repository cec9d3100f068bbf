// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Job;
import java.util.Optional;

/**
 * {@code roundbin}: the next eligible worker after the one used last, by id, wrapping around. A worker that joins gets
 * its turn and nothing moves to it; the jobs of one that is gone are dealt on in the same order.
 */
public final class RoundbinPolicy implements SchedulePolicy {
    public static final String NAME = "roundbin";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
        Optional<String> next =
                candidates.nextAfter(context.lastScheduledWorker()).map(Candidate::workerId);
        next.ifPresent(context::scheduled);
        return next;
    }
}
