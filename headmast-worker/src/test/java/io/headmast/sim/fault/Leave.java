// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.List;

/** A process ends in order: a worker hands its jobs back, a server its leadership. */
final class Leave implements Fault {
    @Override
    public String name() {
        return "leave";
    }

    @Override
    public boolean strike(World world) {
        List<ClusterProcess> up =
                world.processes().stream().filter(ClusterProcess::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        ClusterProcess process = world.any(up);
        if (process instanceof WorkerProcess worker) {
            worker.leave();
        } else if (process instanceof ServerProcess server) {
            server.close();
        }
        return true;
    }
}
