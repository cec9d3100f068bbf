// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import java.util.Optional;

/** One thing a worker does about one run, derived from what is desired and what is actual. */
public sealed interface Task {
    String jobId();

    /** Read the job's record, its state and the assignment, in one transaction. */
    record Read(String jobId, long epoch) implements Task {}

    /** Start the work; {@code attempt} counts this start. */
    record Start(Job job, long epoch, int attempt) implements Task {
        @Override
        public String jobId() {
            return job.id();
        }
    }

    /** End the work. */
    record Stop(String jobId, long epoch, String reason) implements Task {}

    /**
     * Write the run's state, if the assignment still has that epoch and the state that revision.
     *
     * @param stateRevision what the state must stand at
     */
    record Report(String jobId, long epoch, long stateRevision, RunState state) implements Task {}

    /**
     * Give the assignment up: delete it and its kill order and write the final state, if the assignment still has that
     * epoch and the state that revision.
     *
     * @param state empty when the state isn't this run's to write
     */
    record Release(String jobId, long epoch, long stateRevision, Optional<RunState> state) implements Task {}

    /** Delete a kill order that concerns nothing any more, if it still has that revision. */
    record DropKiller(String jobId, long killerRevision) implements Task {}
}
