// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

/** An order about a job, and what its giver knows of it. */
public final class Asked {
    private final long number;
    private final String jobId;
    private final Intent intent;
    private final long at;
    private Outcome outcome = Outcome.OPEN;
    private long answeredAt;

    /** What an order is to bring about, as far as it matters for whether the job runs. */
    public enum Intent {
        CREATE,
        KILL,
        ALIVE,
        START,
        STOP,
        DELETE,
        OTHER;

        /** Whether the job must not be started after it. */
        public boolean stops() {
            return this == KILL || this == STOP || this == DELETE;
        }

        /** Whether the job may be started again after that order, if this one had stopped it. */
        public boolean isUndoneBy(Intent later) {
            return switch (this) {
                case KILL -> later == ALIVE || later == CREATE;
                case STOP -> later == START || later == CREATE;
                case DELETE -> later == CREATE;
                case CREATE, ALIVE, START, OTHER -> false;
            };
        }
    }

    /** What is known of it. */
    public enum Outcome {
        OPEN,
        ACKNOWLEDGED,
        REFUSED,
        UNKNOWN
    }

    Asked(long number, String jobId, Intent intent, long at) {
        this.number = number;
        this.jobId = jobId;
        this.intent = intent;
        this.at = at;
    }

    void answered(Outcome known, long when) {
        outcome = known;
        answeredAt = when;
    }

    /** Counts orders as they were given. */
    public long number() {
        return number;
    }

    public String jobId() {
        return jobId;
    }

    public Intent intent() {
        return intent;
    }

    public long at() {
        return at;
    }

    public Outcome outcome() {
        return outcome;
    }

    public long answeredAt() {
        return answeredAt;
    }
}
