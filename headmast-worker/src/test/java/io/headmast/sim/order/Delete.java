// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;

/** A job is to go. */
final class Delete implements Order {
    @Override
    public String name() {
        return "delete";
    }

    @Override
    public boolean give(World world) {
        String jobId = JobIds.anyThere(world);
        return world.client()
                .ask(jobId, Asked.Intent.DELETE, name(), server -> server.jobs().removeJob(jobId));
    }
}
