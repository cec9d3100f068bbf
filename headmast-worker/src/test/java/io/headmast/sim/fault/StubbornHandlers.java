// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** The handlers of a worker take much longer to stop than they may, for a while. */
final class StubbornHandlers implements Fault {
    @Override
    public String name() {
        return "stubborn handlers";
    }

    @Override
    public boolean strike(World world) {
        WorkerProcess worker = Victim.worker(world);
        if (worker == null) {
            return false;
        }
        world.note(worker.name(), "has stubborn handlers");
        worker.stubborn(true);
        world.later(world.between(Duration.ofSeconds(1), World.TTL.multipliedBy(2)), () -> worker.stubborn(false));
        return true;
    }
}
