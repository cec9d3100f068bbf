// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;

/** A process ends in order: a worker hands its jobs back, a server its leadership. */
final class Leave implements Fault {
    @Override
    public String name() {
        return "leave";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        if (process instanceof WorkerProcess worker) {
            worker.leave();
        } else if (process instanceof ServerProcess server) {
            server.close();
        }
        return true;
    }
}
