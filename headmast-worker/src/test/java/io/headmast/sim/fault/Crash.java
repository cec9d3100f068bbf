package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
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
        List<Process> up =
                world.processes().stream().filter(Process::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        process.crash();
        return true;
    }
}
