// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.api.HeadmastException;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;

/** Nothing of a process comes to the store for a while, or nothing of the store to the process, or both. Afterwards its
 * watches bring what they missed, or break. */
record Partition(String name, boolean requests, boolean answers) implements Fault {
    private static final Duration LEAST = Duration.ofMillis(200);
    private static final Duration MOST = World.TTL.multipliedBy(3);

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        process.cut(requests, answers);
        world.note(process.id(), name);
        world.later(world.between(LEAST, MOST), () -> {
            world.note(process.id(), "is reachable again");
            if (world.random().nextBoolean()) {
                process.breakWatches(new HeadmastException.Unavailable("connection reset"));
            }
            process.cut(false, false);
        });
        return true;
    }
}
