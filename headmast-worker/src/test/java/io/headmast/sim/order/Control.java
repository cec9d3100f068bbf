// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.api.JobAction;
import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;
import java.util.OptionalLong;

/** One of the actions on a job. */
record Control(JobAction action, Asked.Intent intent) implements Order {
    @Override
    public String name() {
        return action.wireName();
    }

    @Override
    public boolean give(World world) {
        String jobId = JobIds.anyThere(world);
        return world.client()
                .ask(jobId, intent, name(), server -> server.jobs().controlJob(jobId, action, OptionalLong.empty()));
    }
}
