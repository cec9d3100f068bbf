package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.List;

/**
 * A process stands still for a part of the lease's time, or more.
 *
 * @param ttls how many times the lease's time
 */
record Standstill(double ttls) implements Fault {
    @Override
    public String name() {
        return "standstill of " + ttls + " TTL";
    }

    @Override
    public boolean strike(World world) {
        List<Process> up =
                world.processes().stream().filter(Process::isRunning).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        process.pause();
        world.later(Duration.ofNanos((long) (ttls * World.TTL.toNanos())), process::resume);
        return true;
    }
}
