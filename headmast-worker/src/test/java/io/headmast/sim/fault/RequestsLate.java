// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** For a while whatever a process asks for comes to the store long after it gave up, and is carried out then. */
final class RequestsLate implements Fault {
    @Override
    public String name() {
        return "requests late";
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), "has its requests come late");
        process.weather().delayRequests(true);
        world.later(world.between(Duration.ofMillis(100), World.TTL.dividedBy(2)), () -> process.weather()
                .delayRequests(false));
        return true;
    }
}
