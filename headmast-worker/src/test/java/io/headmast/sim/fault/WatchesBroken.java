// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.api.HeadmastException;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** The watches of a process break. */
final class WatchesBroken implements Fault {
    @Override
    public String name() {
        return "watches broken";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "loses its watches");
        process.breakWatches(new HeadmastException.Unavailable("connection reset"));
        return true;
    }
}
