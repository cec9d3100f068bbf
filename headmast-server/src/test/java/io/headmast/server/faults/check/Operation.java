// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.JobStatus;
import io.headmast.api.Named;
import io.headmast.api.TargetState;

/**
 * One call of one client about one job: what was asked when, and what came of it. Times are the machine's monotonic
 * clock.
 *
 * @param id unique in its history
 * @param returned when the answer came; {@link Long#MAX_VALUE} as long as the outcome is unknown: the call may take
 *     effect at any later time, or never
 */
public record Operation(long id, Kind kind, String job, long invoked, long returned, Outcome outcome) {
    /** What is asked. */
    public enum Kind implements Named {
        SUBMIT("submit"),
        KILL("kill"),
        ALIVE("alive"),
        RESTART("restart"),
        START("start"),
        STOP("stop"),
        DELETE("delete"),
        READ("read");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        @Override
        public String wireName() {
            return wireName;
        }

        /** Whether after it a job may run that was killed, stopped or deleted before. */
        public boolean asksToRun() {
            return this == SUBMIT || this == ALIVE || this == START;
        }

        /** Whether after it the job must not run. */
        public boolean asksToEnd() {
            return this == KILL || this == STOP || this == DELETE;
        }
    }

    /** What came of it. */
    public sealed interface Outcome {
        /** It was carried out, and this is the record after it. */
        record Shown(Seen seen) implements Outcome {}

        /** It was carried out; the answer shows no record, as that of a deletion. */
        record Accepted() implements Outcome {}

        /** There is no such job. */
        record Absent() implements Outcome {}

        /** It was refused for what the job stands at; nothing was changed. */
        record Refused() implements Outcome {}

        /** It was not carried out, and the job has nothing to do with it: no server, no store. */
        record Failed() implements Outcome {}

        /** It may have been carried out, or may be yet. */
        record Unknown() implements Outcome {}
    }

    /** A job's record as an answer showed it. */
    public record Seen(JobStatus status, TargetState target, long generation, long revision) {}

    public boolean isAcknowledged() {
        return outcome instanceof Outcome.Shown || outcome instanceof Outcome.Accepted;
    }

    /** Whether it has, or may have, changed something. */
    public boolean mayHaveChanged() {
        return kind != Kind.READ && (isAcknowledged() || outcome instanceof Outcome.Unknown || isAbsentAfterAll());
    }

    /** A deletion that found nothing may be the one that removed it. */
    private boolean isAbsentAfterAll() {
        return kind == Kind.DELETE && outcome instanceof Outcome.Absent;
    }

    @Override
    public String toString() {
        return kind.wireName() + "#" + id + " of " + job + " [" + invoked + ", "
                + (returned == Long.MAX_VALUE ? "…" : Long.toString(returned)) + "] " + outcome;
    }
}
