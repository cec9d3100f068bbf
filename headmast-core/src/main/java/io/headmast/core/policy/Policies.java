// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import java.util.List;
import java.util.Optional;

/** The policies that come with headmast, by the names that users give. */
public final class Policies {
    /** Those that come with headmast, as they are called in messages. */
    public static final List<String> BUILT_IN = List.of(RoundbinPolicy.NAME, BalancePolicy.NAME);

    private Policies() {}

    /** The policy of that name that comes with headmast; empty if there is none. */
    public static Optional<SchedulePolicy> builtIn(String name) {
        return switch (name) {
            case RoundbinPolicy.NAME, "round-robin" -> Optional.of(new RoundbinPolicy());
            case BalancePolicy.NAME -> Optional.of(new BalancePolicy());
            default -> Optional.empty();
        };
    }
}
