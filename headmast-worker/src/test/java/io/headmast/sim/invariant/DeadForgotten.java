// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Keys;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a process held goes within a bounded time after its end, unless a successor took it over: nothing stays assigned
 * to the dead. The bound is the lease's time, what a renewal may take to come to the store, and the same again whenever
 * the store prolonged leases by itself.
 */
final class DeadForgotten implements Invariant {
    private static final long BOUND_NANOS =
            World.TTL.plus(Duration.ofSeconds(9)).toNanos();

    private final World world;

    DeadForgotten(World world) {
        this.world = world;
    }

    @Override
    public void examine() {
        for (WorkerProcess process : registeredAfterTheirEnd()) {
            long since = Math.max(process.endedAt(), world.leasesProlongedAt());
            if (world.time().nanoTime() - since > BOUND_NANOS) {
                world.violated(
                        name(),
                        process.name() + " ended long ago and still has "
                                + world.truth().assignedTo(process.id()));
            }
        }
    }

    @Override
    public Optional<String> outstanding() {
        return registeredAfterTheirEnd().stream()
                .findFirst()
                .map(process -> process.name() + " is registered though it has ended");
    }

    private List<WorkerProcess> registeredAfterTheirEnd() {
        List<WorkerProcess> found = new ArrayList<>();
        world.truth().below(world.keys().workers()).forEach((key, item) -> {
            if (world.keys().parse(key).orElseThrow() instanceof Keys.Name.OfWorker) {
                found.add(world.life(Truth.worker(item).incarnation()).orElseThrow());
            }
        });
        found.removeIf(WorkerProcess::isUp);
        return found;
    }
}
