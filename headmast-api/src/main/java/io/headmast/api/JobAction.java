// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/** An order about one job; each is one compare-and-swap on the job's record, durable before it is acknowledged. */
public enum JobAction implements Named {
    /** Stop it and keep its record. */
    KILL("kill"),
    /** Let it run again: undoes a kill, and runs a finished job once more. */
    ALIVE("alive"),
    /** Bring it to running ({@link TargetState#LAUNCHED}); a finished job runs once more. */
    START("start"),
    /** Take it off its worker ({@link TargetState#INACTIVE}). */
    STOP("stop"),
    /** Place it without starting it, or stop it and keep its place ({@link TargetState#LOADED}). */
    LOAD("load"),
    /** The same as {@link #STOP}: an unloaded job has no place. */
    UNLOAD("unload"),
    /** Stop its run and place it again, as a new generation. */
    RESTART("restart");

    private final String wireName;

    JobAction(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }
}
