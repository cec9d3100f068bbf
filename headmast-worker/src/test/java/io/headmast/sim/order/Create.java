// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.api.Job;
import io.headmast.api.RestartPolicy;
import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** A job is added. */
final class Create implements Order {
    private static final List<RestartPolicy.When> WHEN = List.of(RestartPolicy.When.values());
    private static final Duration FIRST_BACKOFF = Duration.ofMillis(100);
    private static final Duration LAST_BACKOFF = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "create";
    }

    @Override
    public boolean give(World world) {
        RandomGenerator random = world.random();
        Job.Builder job = Job.builder()
                .id(JobIds.any(world))
                .domain(random.nextBoolean() ? "a" : "b")
                .weight(1 + random.nextInt(2))
                .restart(new RestartPolicy(
                        world.any(WHEN), FIRST_BACKOFF, LAST_BACKOFF, random.nextInt(3) == 0 ? 3 : 0));
        if (random.nextInt(8) == 0) {
            job.restart(new RestartPolicy(RestartPolicy.When.NEVER, FIRST_BACKOFF, LAST_BACKOFF, 0))
                    .maxRunTime(world.between(Duration.ofSeconds(1), Duration.ofSeconds(5)));
        }
        Job made = job.build();
        return world.client()
                .ask(
                        made.id(),
                        Asked.Intent.CREATE,
                        "create",
                        server -> server.jobs().addJob(made));
    }
}
