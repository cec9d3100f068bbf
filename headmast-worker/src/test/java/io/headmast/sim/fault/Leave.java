package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
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
        List<Process> up =
                world.processes().stream().filter(Process::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        if (process instanceof WorkerProcess worker) {
            worker.leave();
        } else if (process instanceof ServerProcess server) {
            server.close();
        }
        return true;
    }
}
