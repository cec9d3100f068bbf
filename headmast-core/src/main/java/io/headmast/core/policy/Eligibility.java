// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Cordon;
import io.headmast.api.Job;
import java.util.Optional;

/**
 * The one answer to "may this worker have this job": used when a job is placed, when a placement is checked again, and
 * to tell users why a job waits. Pure.
 */
public final class Eligibility {
    private Eligibility() {}

    /** Why the worker may not have the job; empty when it may. Short, for people, the same text for the same cause. */
    public static Optional<String> refusal(Job job, WorkerFacts worker) {
        Optional<String> unable = inability(job, worker);
        if (unable.isPresent()) {
            return unable;
        }
        if (worker.registration().closing()) {
            return Optional.of("closing");
        }
        if (worker.cordon().isPresent()) {
            return Optional.of(worker.cordon().get().mode() == Cordon.Mode.DRAIN ? "draining" : "cordoned");
        }
        if (!worker.candidate().hasRoomFor(job.weight())) {
            return Optional.of("capacity " + worker.used() + " of "
                    + worker.registration().capacity().orElse(0) + " used"
                    + (job.weight() > 1 ? ", weight " + job.weight() + " needed" : ""));
        }
        return Optional.empty();
    }

    /** Why the worker may not even keep the job if it has it: what makes a placement wrong, not just unwanted. */
    public static Optional<String> inability(Job job, WorkerFacts worker) {
        return worker.registration().serves(job.domain())
                ? Optional.empty()
                : Optional.of("does not serve domain " + job.domain());
    }
}
