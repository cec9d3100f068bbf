// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One assignment as this worker lives it. Owned by its {@link AgentState}. */
final class Run {
    /** How far it has come. */
    enum Stage {
        /** Its records were not read yet. */
        ASSIGNED,
        /** May start. */
        READY,
        /** Was started and has not said yet that it runs. */
        STARTING,
        RUNNING,
        /** Was told to stop and has not ended yet. */
        STOPPING,
        /** Ended; what follows from that isn't decided yet. */
        ENDED,
        /** Is given up: it never starts again, whatever the mirror shows. */
        LEAVING,
        /** Was given up; the mirror will show that. */
        RELEASED
    }

    final String jobId;
    final long epoch;
    Stage stage = Stage.ASSIGNED;

    /** What was read of a new assignment and isn't judged yet. */
    @Nullable
    Reading found;

    @Nullable
    Job job;

    /** What the state key says, with the epoch filled in. */
    @Nullable
    RunState state;

    long stateRevision;
    int attempt;

    /** The state must be rewritten before the start: a predecessor's writes may still be under way. */
    boolean claimFirst;

    /** A read is under way, or needed. */
    boolean reading;

    boolean mustRead = true;

    /** A write is under way. */
    boolean writing;

    /** The assignment was found gone although the mirror doesn't show it yet. */
    boolean gone;

    /** When it may start again, by the monotonic clock; 0 unless it waits for its next attempt. */
    long waitsUntilNanos;

    /** Before that, by the monotonic clock, nothing is written for the sake of its progress alone. */
    long quietUntilNanos;

    @Nullable
    Ending ending;

    /** What the release writes; empty when the state isn't this run's. */
    Optional<RunState> finalState = Optional.empty();

    Optional<String> progress = Optional.empty();
    Optional<String> stuck = Optional.empty();

    Run(String jobId, long epoch) {
        this.jobId = jobId;
        this.epoch = epoch;
    }

    /** Whether its work may be going on. */
    boolean isActive() {
        return stage == Stage.STARTING || stage == Stage.RUNNING || stage == Stage.STOPPING;
    }

    /** The job's record as it was read. */
    Job record() {
        if (job == null) {
            throw new IllegalStateException("no record was read: " + this);
        }
        return job;
    }

    /** What the state key says about this placement. */
    RunState placed() {
        if (state == null) {
            throw new IllegalStateException("no state was read: " + this);
        }
        return state;
    }

    @Override
    public String toString() {
        return jobId + "[epoch=" + epoch + " stage=" + stage + " attempt=" + attempt + "]";
    }
}
