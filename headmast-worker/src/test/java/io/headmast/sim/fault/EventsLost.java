// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.util.List;

/** A watch passes over events in silence, which no store may do and some have done. */
final class EventsLost implements Fault {
    @Override
    public String name() {
        return "events lost";
    }

    @Override
    public boolean strike(World world) {
        List<ClusterProcess> up =
                world.processes().stream().filter(ClusterProcess::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        ClusterProcess process = world.any(up);
        world.note(process.id(), "is to miss the next events");
        process.weather().loseNextEvents();
        return true;
    }
}
