// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.RunState;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/**
 * At any revision a job is assigned at most once, and what is assigned was wanted at that very revision: not killed,
 * stopped, being deleted, or ended; and its state names the assignment.
 */
final class OnePlacement implements Invariant {
    private final World world;

    OnePlacement(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        for (Commit.Change change : commit.changes()) {
            if (change.name() instanceof Keys.Name.OfAssignment of && change.isCreation()) {
                placed(commit, of.workerId(), of.jobId());
            }
        }
    }

    private void placed(Commit commit, String workerId, String jobId) {
        Truth truth = world.truth();
        var assignments = truth.assignments(jobId);
        if (assignments.size() != 1) {
            world.violated(name(), jobId + " is assigned to " + assignments.keySet());
        }
        Optional<Job> record = truth.job(jobId);
        if (record.filter(Job::wantsPlacement).isEmpty()) {
            world.violated(name(), jobId + " is placed on " + workerId + " though its record is " + record);
        }
        Optional<RunState> before =
                truth.before(commit, world.keys().state(jobId)).map(Truth::state);
        if (before.isPresent()
                && record.isPresent()
                && before.get().phase().isTerminal()
                && before.get().generation() >= record.get().generation()) {
            world.violated(name(), jobId + " is placed on " + workerId + " though it has ended: " + before.get());
        }
        Optional<KeyValue> state = truth.item(world.keys().state(jobId));
        boolean named = state.filter(item -> Truth.epoch(item) == commit.revision()
                        && Truth.state(item).worker().equals(Optional.of(workerId)))
                .isPresent();
        if (!named) {
            world.violated(name(), jobId + " is placed on " + workerId + " and its state doesn't say so: " + state);
        }
    }
}
