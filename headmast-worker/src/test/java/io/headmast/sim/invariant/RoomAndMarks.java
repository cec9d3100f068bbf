// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.Sent;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/**
 * Nothing is placed on a worker beyond its capacity, outside its domains, or against a cordon or its wish to close of
 * which the leader knew when it sent the placement. A leader whose watch has lost events may be wrong about room.
 */
final class RoomAndMarks implements Invariant {
    private final World world;

    RoomAndMarks(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        for (Commit.Change change : commit.changes()) {
            if (change.name() instanceof Keys.Name.OfAssignment of
                    && change.isCreation()
                    && commit.sent().isPresent()) {
                placed(of.workerId(), of.jobId(), commit.sent().get());
            }
        }
    }

    private void placed(String workerId, String jobId, Sent sent) {
        Optional<Worker> worker = world.truth().worker(workerId);
        if (worker.isEmpty()) {
            world.violated(name(), jobId + " is placed on " + workerId + ", which isn't registered");
            return;
        }
        long used = used(workerId);
        boolean fits = worker.get().capacity().stream().allMatch(most -> used <= most);
        if (!fits && !sent.process().hasWrongMirror()) {
            world.violated(name(), workerId + " gets " + jobId + " and has " + used + " of " + worker.get());
        }
        String domain = world.truth().job(jobId).map(Job::domain).orElse("");
        if (!worker.get().serves(domain)) {
            world.violated(name(), workerId + " gets " + jobId + " of domain " + domain);
        }
        if (knew(sent, world.truth().item(world.keys().cordon(workerId)))) {
            world.violated(name(), workerId + " gets " + jobId + " against its cordon");
        }
        if (worker.get().closing() && knew(sent, world.truth().item(world.keys().worker(workerId)))) {
            world.violated(name(), workerId + " gets " + jobId + " though it closes");
        }
    }

    private static boolean knew(Sent sent, Optional<KeyValue> mark) {
        return mark.filter(item -> item.modRevision() <= sent.knew()).isPresent()
                && !sent.process().hasWrongMirror();
    }

    private long used(String workerId) {
        return world.truth().assignedTo(workerId).stream()
                .mapToLong(id -> world.truth().job(id).map(Job::weight).orElse(1))
                .sum();
    }
}
