// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

/** What happened to something that is observed. */
public enum ChangeReason implements Named {
    ADDED("added"),
    UPDATED("updated"),
    DELETED("deleted");

    private final String wireName;

    ChangeReason(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }
}
