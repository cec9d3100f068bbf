// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** For a while the watches of a process bring everything late. */
final class EventsLate implements Fault {
    @Override
    public String name() {
        return "events late";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "events late");
        process.weather().delayEvents(Duration.ofSeconds(2));
        world.later(world.between(Duration.ofMillis(500), World.TTL.multipliedBy(2)), () -> process.weather()
                .delayEvents(Duration.ZERO));
        return true;
    }
}
