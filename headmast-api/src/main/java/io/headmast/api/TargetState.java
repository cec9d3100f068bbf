// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/** How far a job should be brought, as in fleet. */
public enum TargetState implements Named {
    /** Not placed. */
    INACTIVE("inactive"),
    /** Placed on a worker, not started. */
    LOADED("loaded"),
    /** Placed and running. */
    LAUNCHED("launched");

    private final String wireName;

    TargetState(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }
}
