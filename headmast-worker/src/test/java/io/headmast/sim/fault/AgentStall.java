// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** The agent of a worker gets no processor for a while, and its heartbeat does. */
final class AgentStall implements Fault {
    @Override
    public String name() {
        return "agent stall";
    }

    @Override
    public boolean strike(World world) {
        WorkerProcess worker = Victim.worker(world);
        if (worker == null) {
            return false;
        }
        world.note(worker.name(), "has a stalled agent");
        worker.stall(true);
        world.later(world.between(Duration.ofMillis(100), World.TTL.multipliedBy(2)), () -> worker.stall(false));
        return true;
    }
}
