// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.api.Cordon;
import io.headmast.api.JobAction;
import io.headmast.sim.cluster.Asked;
import java.util.List;

/** Every order there is; more often those that are here more often. */
public final class Orders {
    public static final List<Order> ALL = List.of(
            new Create(),
            new Create(),
            new Create(),
            new Create(),
            new Create(),
            new Control(JobAction.KILL, Asked.Intent.KILL),
            new Control(JobAction.ALIVE, Asked.Intent.ALIVE),
            new Control(JobAction.ALIVE, Asked.Intent.ALIVE),
            new Control(JobAction.START, Asked.Intent.START),
            new Control(JobAction.START, Asked.Intent.START),
            new Control(JobAction.STOP, Asked.Intent.STOP),
            new Control(JobAction.LOAD, Asked.Intent.OTHER),
            new Control(JobAction.UNLOAD, Asked.Intent.STOP),
            new Control(JobAction.RESTART, Asked.Intent.OTHER),
            new Delete(),
            new Replace(),
            new Mark(Cordon.Mode.CORDON),
            new Mark(Cordon.Mode.DRAIN),
            new Unmark(),
            new Unmark());

    private Orders() {}
}
