// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.util.List;

/** A process ends as by kill -9, and comes back some time later. */
final class Crash implements Fault {
    @Override
    public String name() {
        return "crash";
    }

    @Override
    public boolean strike(World world) {
        List<ClusterProcess> up =
                world.processes().stream().filter(ClusterProcess::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        ClusterProcess process = world.any(up);
        process.crash();
        return true;
    }
}
