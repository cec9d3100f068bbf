// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.api.Keys;
import io.headmast.core.store.WatchEvent;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** A watch passes over events in silence, which no store may do and some have done: all that come next, or assignments. */
final class EventsLost implements Fault {
    @Override
    public String name() {
        return "events lost";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        boolean all = world.random().nextBoolean();
        world.note(process.id(), "is to miss the next ", all ? "events" : "assignments");
        process.weather().loseNext(event -> all || isAssigned(world, event));
        return true;
    }

    private static boolean isAssigned(World world, WatchEvent event) {
        return event instanceof WatchEvent.Put
                && world.keys().parse(event.key()).orElseThrow() instanceof Keys.Name.OfAssignment;
    }
}
