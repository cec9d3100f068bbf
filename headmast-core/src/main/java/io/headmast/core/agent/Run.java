// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
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

    /** What was read before a start and isn't judged yet. */
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

    /** The record was read for an attempt that is over: it may have changed, and is read again before the next. */
    boolean outdated;

    /** Whether the attempt is known to run, and its time counts. */
    boolean timed;

    /** When the attempt must have ended, by the monotonic clock; empty for no limit. */
    OptionalLong endsByNanos = OptionalLong.empty();

    /** Why the attempt counts as failed although it was told to stop. */
    Optional<String> overdue = Optional.empty();

    /** When it may start again, by the monotonic clock; 0 unless it waits for its next attempt. */
    long waitsUntilNanos;

    /** Before that, by the monotonic clock, nothing is written for the sake of its progress alone. */
    long quietUntilNanos;

    @Nullable
    Ending ending;

    /** It stopped and wasn't told to from here: most likely its lease isn't safe, of which the agent is yet to hear. */
    boolean stoppedElsewhere;

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

    /** When there may be something to do although nothing happens, later than {@code nanos}; by the monotonic clock. */
    OptionalLong nextLook(long nanos) {
        boolean busy = reading || writing;
        LongStream times = LongStream.empty();
        if (stage == Stage.READY && !busy && waitsUntilNanos != 0) {
            times = LongStream.of(waitsUntilNanos);
        } else if (stage == Stage.RUNNING) {
            boolean untold = !busy && state != null && !state.progress().equals(progress);
            times = LongStream.concat(
                    endsByNanos.stream(), untold ? LongStream.of(quietUntilNanos) : LongStream.empty());
        }
        return times.map(time -> time - nanos).filter(pause -> pause > 0).min().stream()
                .map(pause -> nanos + pause)
                .findFirst();
    }

    /** The job's record as it was read last. */
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
