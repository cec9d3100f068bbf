package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
import io.headmast.sim.cluster.World;
import java.util.List;

/** A process ends at one of its next calls of the store: before that is sent, or once it is. */
final class CrashAtCall implements Fault {
    @Override
    public String name() {
        return "crash at a call";
    }

    @Override
    public boolean strike(World world) {
        List<Process> up =
                world.processes().stream().filter(Process::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        process.crashAtCall(world.random().nextInt(12));
        return true;
    }
}
