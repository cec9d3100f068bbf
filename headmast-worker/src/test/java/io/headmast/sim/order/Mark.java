// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.api.Cordon;
import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/** A worker gets nothing more, or is to give away what it has. */
record Mark(Cordon.Mode mode) implements Order {
    @Override
    public String name() {
        return mode.wireName();
    }

    @Override
    public boolean give(World world) {
        String workerId = world.any(world.workers()).id();
        Cordon mark = new Cordon(mode, "somebody", "", world.time().wallTime());
        return world.client()
                .ask(
                        workerId,
                        Asked.Intent.OTHER,
                        name(),
                        server -> server.workers().cordonWorker(workerId, Optional.of(mark)));
    }
}
