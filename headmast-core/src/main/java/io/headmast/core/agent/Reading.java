// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import java.util.Optional;

/**
 * What a worker read about a new assignment, at one revision.
 *
 * @param epoch the assignment's create revision, 0 when it is gone
 * @param job the record; empty when it is gone or can't be read
 * @param state the run's state; empty when it is gone or can't be read
 * @param stateRevision the state's modification revision, 0 when it is gone
 * @param refusal why this worker can't run the job; empty when it can
 */
public record Reading(
        long epoch, Optional<Job> job, Optional<RunState> state, long stateRevision, Optional<String> refusal) {}
