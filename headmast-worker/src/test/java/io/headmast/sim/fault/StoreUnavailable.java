// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.World;
import java.time.Duration;

/** The store refuses every call for a while. */
final class StoreUnavailable implements Fault {
    @Override
    public String name() {
        return "store unavailable";
    }

    @Override
    public boolean strike(World world) {
        world.note("store", "is unavailable");
        world.processes().forEach(process -> process.weather().refuse(true));
        world.later(world.between(Duration.ofMillis(100), World.TTL), () -> {
            world.note("store", "is available");
            world.processes().forEach(process -> process.weather().refuse(false));
        });
        return true;
    }
}
