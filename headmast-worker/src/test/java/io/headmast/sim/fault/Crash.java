// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** A process ends as by kill -9, and comes back some time later. */
final class Crash implements Fault {
    @Override
    public String name() {
        return "crash";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        process.crash();
        return true;
    }
}
