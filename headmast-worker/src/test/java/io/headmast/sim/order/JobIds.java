// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.sim.cluster.World;
import java.util.List;

/** The few jobs that all orders are about, so that they meet. */
final class JobIds {
    private static final int JOBS = 10;

    private JobIds() {}

    static String any(World world) {
        return "j" + world.random().nextInt(JOBS);
    }

    /** Mostly one that is there. */
    static String anyThere(World world) {
        List<String> there = world.truth().jobIds();
        return there.isEmpty() || world.random().nextInt(10) == 0 ? any(world) : world.any(there);
    }
}
