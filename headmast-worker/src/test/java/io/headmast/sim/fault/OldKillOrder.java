// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.json.Json;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.List;

/** A kill order for an earlier placement lies beside an assignment, on its worker's lease. */
final class OldKillOrder implements Fault {
    @Override
    public String name() {
        return "old kill order";
    }

    @Override
    public boolean strike(World world) {
        List<WorkerProcess> some = world.workers().stream()
                .filter(worker -> !world.truth().assignedTo(worker.id()).isEmpty())
                .toList();
        if (some.isEmpty()) {
            return false;
        }
        String workerId = world.any(some).id();
        String jobId = world.any(world.truth().assignedTo(workerId));
        KeyValue assignment =
                world.truth().item(world.keys().assignment(workerId, jobId)).orElseThrow();
        String killer = world.keys().killer(workerId, jobId);
        KillOrder old = new KillOrder(assignment.createRevision() - 1, Phase.KILLED, "long ago");
        var unused = world.store()
                .txn(new Txn(
                        List.of(Compare.absent(killer), Compare.created(assignment.key(), assignment.createRevision())),
                        List.of(Op.put(killer, Json.toPayload(old.toJson()), assignment.lease()))));
        return true;
    }
}
