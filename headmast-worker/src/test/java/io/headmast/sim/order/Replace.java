// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.api.Payload;
import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;
import java.util.OptionalLong;

/** A job gets another payload, and so a new generation. */
final class Replace implements Order {
    @Override
    public String name() {
        return "replace";
    }

    @Override
    public boolean give(World world) {
        String jobId = JobIds.anyThere(world);
        Payload payload = Payload.of("p" + world.random().nextInt(1000));
        return world.client()
                .ask(
                        jobId,
                        Asked.Intent.OTHER,
                        name(),
                        server -> server.jobs()
                                .updateJob(
                                        jobId,
                                        job -> job.toBuilder().payload(payload).build(),
                                        OptionalLong.empty()));
    }
}
