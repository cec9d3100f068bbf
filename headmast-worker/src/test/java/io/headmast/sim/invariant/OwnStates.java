// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/**
 * A worker writes the state of a placement that it has at that revision, and no other; the leader writes a state only
 * while nobody has the job; a record goes only when its deletion was ordered and nobody has the job.
 */
final class OwnStates implements Invariant {
    private final World world;

    OwnStates(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        ClusterProcess process = commit.sent().map(sent -> sent.process()).orElse(null);
        for (Commit.Change change : commit.changes()) {
            if (change.name() instanceof Keys.Name.OfState of && process instanceof WorkerProcess worker) {
                require(
                        isPlacedOn(commit, worker, of.jobId()),
                        worker.name() + " writes the state of " + of.jobId() + ", which it hasn't");
            } else if (change.name() instanceof Keys.Name.OfState of) {
                require(
                        former(commit, of.jobId()).isEmpty(),
                        process + " writes the state of " + of.jobId() + ", which is placed");
            } else if (change.name() instanceof Keys.Name.OfJob of && change.isDeletion()) {
                removed(change.before().map(Truth::job), of.jobId());
            }
        }
    }

    private boolean isPlacedOn(Commit commit, WorkerProcess worker, String jobId) {
        String key = world.keys().assignment(worker.id(), jobId);
        Optional<KeyValue> assignment = world.truth().before(commit, key);
        Optional<KeyValue> state = world.truth().before(commit, world.keys().state(jobId));
        return assignment.isPresent()
                && state.filter(item -> Truth.epoch(item) == assignment.get().createRevision())
                        .isPresent();
    }

    /** The assignment that the state named before. */
    private Optional<KeyValue> former(Commit commit, String jobId) {
        Optional<KeyValue> state = world.truth().before(commit, world.keys().state(jobId));
        return state.flatMap(item -> Truth.state(item)
                .worker()
                .flatMap(worker -> world.truth().before(commit, world.keys().assignment(worker, jobId)))
                .filter(assignment -> assignment.createRevision() == Truth.epoch(item)));
    }

    private void removed(Optional<Job> record, String jobId) {
        require(
                record.filter(job -> job.status() == JobStatus.DELETING).isPresent(),
                jobId + " is removed though its record was " + record);
        require(world.truth().assignments(jobId).isEmpty(), jobId + " is removed while it is assigned");
    }

    private void require(boolean right, String problem) {
        if (!right) {
            world.violated(name(), problem);
        }
    }
}
