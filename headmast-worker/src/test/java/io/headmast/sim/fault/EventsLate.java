package io.headmast.sim.fault;

import io.headmast.sim.cluster.Process;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.List;

/** For a while the watches of a process bring everything late. */
final class EventsLate implements Fault {
    @Override
    public String name() {
        return "events late";
    }

    @Override
    public boolean strike(World world) {
        List<Process> up =
                world.processes().stream().filter(Process::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        Process process = world.any(up);
        world.note(process.id(), "events late");
        process.weather().delayEvents(Duration.ofSeconds(2));
        world.later(world.between(Duration.ofMillis(500), World.TTL.multipliedBy(2)), () -> process.weather().delayEvents(Duration.ZERO));
        return true;
    }
}
