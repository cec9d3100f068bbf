// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be ordered of many jobs at once: each {@link JobAction}, and their deletion. */
public enum BulkAction implements Named {
    KILL(JobAction.KILL),
    ALIVE(JobAction.ALIVE),
    START(JobAction.START),
    STOP(JobAction.STOP),
    LOAD(JobAction.LOAD),
    UNLOAD(JobAction.UNLOAD),
    RESTART(JobAction.RESTART),
    /** Stop them and remove their records. */
    DELETE(null);

    private final @Nullable JobAction order;

    BulkAction(@Nullable JobAction order) {
        this.order = order;
    }

    public static BulkAction of(JobAction order) {
        return switch (order) {
            case KILL -> KILL;
            case ALIVE -> ALIVE;
            case START -> START;
            case STOP -> STOP;
            case LOAD -> LOAD;
            case UNLOAD -> UNLOAD;
            case RESTART -> RESTART;
        };
    }

    /** The order to a single job that it stands for; empty for the deletion. */
    public Optional<JobAction> order() {
        return Optional.ofNullable(order);
    }

    @Override
    public String wireName() {
        return order == null ? "delete" : order.wireName();
    }
}
