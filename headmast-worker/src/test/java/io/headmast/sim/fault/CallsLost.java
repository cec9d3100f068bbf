// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** For a while requests and answers of a process are lost, or come long after it gave up. */
final class CallsLost implements Fault {
    @Override
    public String name() {
        return "calls lost";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "calls lost");
        process.weather().loseCalls(300);
        world.later(world.between(Duration.ofMillis(500), World.TTL.multipliedBy(2)), () -> process.weather()
                .loseCalls(0));
        return true;
    }
}
