// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.api.HeadmastException;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** The watches of a process break, and so do the next ones, before they have brought anything. */
final class WatchesCutWhenCreated implements Fault {
    @Override
    public String name() {
        return "watches cut when created";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "loses its watches, and the next ones");
        process.weather().breakWhenCreated(1 + world.random().nextInt(3));
        process.breakWatches(new HeadmastException.Unavailable("connection reset"));
        return true;
    }
}
