// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** The wall clock of a process is set, forward or back. */
final class WallClockStep implements Fault {
    @Override
    public String name() {
        return "wall clock step";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        Duration step = world.between(Duration.ofSeconds(-10), Duration.ofSeconds(10));
        world.note(process.id(), "has its wall clock set by ", step);
        process.stepWallClock(step);
        return true;
    }
}
