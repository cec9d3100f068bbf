// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.List;

/**
 * A process stands still for a part of the lease's time, or more.
 *
 * @param ttls how many times the lease's time
 */
record Standstill(double ttls) implements Fault {
    @Override
    public String name() {
        return "standstill of " + ttls + " TTL";
    }

    @Override
    public boolean strike(World world) {
        List<ClusterProcess> up =
                world.processes().stream().filter(ClusterProcess::isRunning).toList();
        if (up.isEmpty()) {
            return false;
        }
        ClusterProcess process = world.any(up);
        process.pause();
        world.later(Duration.ofNanos((long) (ttls * World.TTL.toNanos())), process::resume);
        return true;
    }
}
