// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.HeadmastException;

/** The policies by the names that users give. */
public final class Policies {
    private Policies() {}

    /** @throws HeadmastException.Invalid if there is none of that name, listing those there are */
    public static SchedulePolicy named(String name) {
        return switch (name) {
            case RoundbinPolicy.NAME, "round-robin" -> new RoundbinPolicy();
            case BalancePolicy.NAME -> new BalancePolicy();
            default -> throw new HeadmastException.Invalid("schedulePolicy", "must be one of roundbin, balance");
        };
    }
}
