// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

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
        ClusterProcess process = Victim.among(world, ClusterProcess::isRunning);
        if (process == null) {
            return false;
        }
        process.pause();
        world.later(Duration.ofNanos((long) (ttls * World.TTL.toNanos())), process::resume);
        return true;
    }
}
