// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/** The user's order about a job; what becomes of it is observed in its {@link RunState}. */
public enum JobStatus implements Named {
    /** The job should run (as far as its {@link TargetState} says). */
    CREATED("created"),
    /** The job must not run; its record is kept. */
    KILLED("killed"),
    /** The job must not run, and its record goes away once its run has ended. */
    DELETING("deleting");

    private final String wireName;

    JobStatus(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }
}
