package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
import io.headmast.sim.cluster.World;
import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.List;

/** Nothing of a process comes to the store for a while, or nothing of the store to the process, or both. Afterwards its
 * watches bring what they missed, or break. */
record Partition(String name, boolean requests, boolean answers)
        implements Fault {
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final Duration MOST = World.TTL.multipliedBy(3);

    @Override
    public boolean strike(World world) {
        List<Process> up =
                world.processes().stream().filter(Process::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        process.weather().cut(requests, answers);
        world.note(process.id(), name);
        world.later(world.between(LEAST, MOST), () -> {
            world.note(process.id(), "is reachable again");
            process.weather().cut(false, false);
            if (world.random().nextBoolean()) {
                process.breakWatches(new HeadmastException.Unavailable("connection reset"));
            }
            process.releaseWatches();
        });
        return true;
    }
}
