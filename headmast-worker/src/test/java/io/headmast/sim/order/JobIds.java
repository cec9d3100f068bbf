// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.sim.cluster.World;

/** The few jobs that all orders are about, so that they meet. */
final class JobIds {
    private static final int JOBS = 10;

    private JobIds() {}

    static String any(World world) {
        return "j" + world.random().nextInt(JOBS);
    }
}
