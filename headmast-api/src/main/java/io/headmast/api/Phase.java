// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/** Where a run stands, as observed. */
public enum Phase implements Named {
    /** Should run and is not placed; the reason says why. */
    PENDING("pending"),
    /** Placed on a worker that has not reported yet. */
    SCHEDULED("scheduled"),
    /** Accepted by its worker, not running (target state loaded, or waiting for the next attempt). */
    LOADED("loaded"),
    /** Running. */
    RUNNING("running"),
    /** Was told to stop and has not ended yet. */
    STOPPING("stopping"),
    /** Ended by itself, successfully; holds for the generation it ran. */
    COMPLETED("completed"),
    /** Ended with an error, for good; holds for the generation it ran. */
    FAILED("failed"),
    /** Stopped by a kill order. */
    KILLED("killed"),
    /** Not placed because its target state is inactive. */
    INACTIVE("inactive");

    private final String wireName;

    Phase(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }

    /** Whether a run in this phase ended by itself and stays ended until a newer generation. */
    public boolean isTerminal() {
        return this == COMPLETED || this == FAILED;
    }
}
