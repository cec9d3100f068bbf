// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** A process ends at one of its next calls of the store: before that is sent, or once it is. */
final class CrashAtCall implements Fault {
    @Override
    public String name() {
        return "crash at a call";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        process.crashAtCall(world.random().nextInt(12));
        return true;
    }
}
