// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whom a fault strikes: any process, and the leader more often than others. */
final class Victim {
    private Victim() {}

    /** One that is like that; null when there is none. */
    static @Nullable ClusterProcess among(World world, Predicate<ClusterProcess> like) {
        List<ClusterProcess> some = world.processes().stream().filter(like).toList();
        List<ClusterProcess> leading = some.stream().filter(world::leads).toList();
        if (some.isEmpty()) {
            return null;
        }
        return world.any(leading.isEmpty() || world.random().nextInt(3) != 0 ? some : leading);
    }

    /** A worker that runs; null when there is none. */
    static @Nullable WorkerProcess worker(World world) {
        List<WorkerProcess> running =
                world.workers().stream().filter(WorkerProcess::isRunning).toList();
        return running.isEmpty() ? null : world.any(running);
    }
}
