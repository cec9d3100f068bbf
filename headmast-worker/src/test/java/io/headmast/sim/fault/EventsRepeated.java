// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** For a while the watches of a process bring much of it twice. */
final class EventsRepeated implements Fault {
    @Override
    public String name() {
        return "events repeated";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "events repeated");
        process.weather().repeatEvents(500);
        world.later(world.between(Duration.ofMillis(500), World.TTL.multipliedBy(2)), () -> process.weather()
                .repeatEvents(0));
        return true;
    }
}
