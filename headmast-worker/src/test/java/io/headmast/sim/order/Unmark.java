// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/** A worker is as any other again. */
final class Unmark implements Order {
    @Override
    public String name() {
        return "uncordon";
    }

    @Override
    public boolean give(World world) {
        String workerId = world.any(world.workers()).id();
        return world.client()
                .ask(
                        workerId,
                        Asked.Intent.OTHER,
                        name(),
                        server -> server.workers().cordonWorker(workerId, Optional.empty()));
    }
}
