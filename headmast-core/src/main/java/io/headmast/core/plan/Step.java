// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.KillOrder;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import java.util.Optional;

/**
 * One thing the leader does about one job, with every fact it rests on: it is carried out only if they all still hold,
 * so a step is safe alone, late and repeated.
 */
public sealed interface Step {
    /** What the job stands at. */
    JobFacts facts();

    /** The worker whose lease it writes to, if it writes to one. */
    Optional<Target> to();

    /** Why, for people. */
    String reason();

    default String jobId() {
        return facts().jobId();
    }

    /** The worker whose lease it writes to; empty for none. */
    default String workerId() {
        return to().map(Target::workerId).orElse("");
    }

    /**
     * Assigns the job to a worker and says so in its state.
     *
     * @param target the worker and what its registration stands at
     * @param state what is written; its epoch is the revision that the commit gets
     */
    record Place(JobFacts facts, Target target, TargetState targetState, RunState state) implements Step {
        @Override
        public Optional<Target> to() {
            return Optional.of(target);
        }

        @Override
        public String reason() {
            return state.reason();
        }
    }

    /** Orders the worker to end a placement and give it up. */
    record Stop(JobFacts facts, Target target, KillOrder order) implements Step {
        @Override
        public Optional<Target> to() {
            return Optional.of(target);
        }

        @Override
        public String reason() {
            return order.reason();
        }
    }

    /** Tells the worker to load or launch what is placed on it, without a new placement. */
    record Retarget(JobFacts facts, Target target, long epoch, TargetState targetState) implements Step {
        @Override
        public Optional<Target> to() {
            return Optional.of(target);
        }

        @Override
        public String reason() {
            return "target state is " + targetState.wireName();
        }
    }

    /** Deletes what is left of a job that isn't placed: record and state. */
    record Remove(JobFacts facts, String reason) implements Step {
        @Override
        public Optional<Target> to() {
            return Optional.empty();
        }
    }

    /**
     * What a step was decided on.
     *
     * @param jobRevision the record's modification revision, 0 when absent
     * @param stateRevision the state's modification revision, 0 when absent
     * @param formerWorker the worker that the state names; empty for none. Its assignment is gone.
     */
    record JobFacts(String jobId, long jobRevision, long stateRevision, String formerWorker) {}

    /**
     * @param registration the create revision of the worker's registration
     * @param lease the worker's lease
     */
    record Target(String workerId, long registration, long lease) {}
}
