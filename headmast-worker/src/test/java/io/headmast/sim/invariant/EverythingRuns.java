// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.Worker;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.Run;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Once the faults have stopped, everything that can run comes to run, and nothing else does (G3, G4): each job that is
 * wanted runs in its latest generation, once, where it is placed, or no worker has room for it; deleted jobs are gone.
 */
final class EverythingRuns implements Invariant {
    private final World world;

    EverythingRuns(World world) {
        this.world = world;
    }

    @Override
    public Optional<String> outstanding() {
        for (WorkerProcess worker : world.workers()) {
            if (worker.isUp() && (!worker.isRegistered() || worker.isLeaving() || worker.isStubborn())) {
                return Optional.of(worker.name() + " comes or goes, or its handlers do");
            }
        }
        TreeSet<String> ids = new TreeSet<>(world.truth().jobIds());
        for (Run run : world.runs().all()) {
            if (!ids.contains(run.jobId())) {
                return Optional.of(run + " has no record");
            }
        }
        return ids.stream().map(this::outstanding).flatMap(Optional::stream).findFirst();
    }

    private Optional<String> outstanding(String jobId) {
        Job job = world.truth().job(jobId).orElseThrow();
        Optional<RunState> state = world.truth().state(jobId);
        NavigableMap<String, KeyValue> assignments = world.truth().assignments(jobId);
        boolean ended = state.filter(last -> last.phase().isTerminal() && last.generation() >= job.generation())
                .isPresent();
        if (job.status() == JobStatus.DELETING) {
            return Optional.of(jobId + " isn't deleted");
        }
        if (!job.wantsPlacement() || ended) {
            return assignments.isEmpty() && world.runs().of(jobId).isEmpty()
                    ? Optional.empty()
                    : Optional.of(jobId + " isn't given up: " + job + " " + state);
        }
        return assignments.isEmpty() ? placeable(job) : running(job, state, assignments);
    }

    private Optional<String> running(Job job, Optional<RunState> state, NavigableMap<String, KeyValue> assignments) {
        boolean launched = job.targetState() == TargetState.LAUNCHED;
        List<Run> runs = world.runs().of(job.id());
        Phase phase = launched ? Phase.RUNNING : Phase.LOADED;
        boolean reported = state.filter(last -> last.phase() == phase && last.generation() == job.generation())
                .isPresent();
        boolean right = launched
                ? runs.size() == 1
                        && runs.get(0).process().id().equals(assignments.firstKey())
                        && runs.get(0).epoch()
                                == assignments.firstEntry().getValue().createRevision()
                : runs.isEmpty();
        if (launched && job.maxRunTime().isPresent()) {
            return Optional.of(job.id() + " is yet to run out of its time");
        }
        return reported && right && !isLeaving(assignments.firstKey(), job.id())
                ? Optional.empty()
                : Optional.of(job.id() + " isn't " + phase + ": " + state + " runs " + runs);
    }

    /** Whether its worker is to give it away, or everything. */
    private boolean isLeaving(String workerId, String jobId) {
        boolean drains = world.truth()
                .item(world.keys().cordon(workerId))
                .map(Truth::cordon)
                .filter(cordon -> cordon.mode() == Cordon.Mode.DRAIN)
                .isPresent();
        long epoch = world.truth()
                .item(world.keys().assignment(workerId, jobId))
                .orElseThrow()
                .createRevision();
        return drains
                || world.truth()
                        .item(world.keys().killer(workerId, jobId))
                        .filter(order -> Truth.killOrder(order).epoch() == epoch)
                        .isPresent();
    }

    private Optional<String> placeable(Job job) {
        return world.workers().stream()
                .filter(WorkerProcess::isUp)
                .map(WorkerProcess::id)
                .filter(id -> hasRoom(id, job))
                .findFirst()
                .map(id -> job.id() + " isn't placed though " + id + " has room");
    }

    private boolean hasRoom(String workerId, Job job) {
        Optional<Worker> worker = world.truth().worker(workerId);
        long used = world.truth().assignedTo(workerId).stream()
                .mapToLong(id -> world.truth().job(id).map(Job::weight).orElse(1))
                .sum();
        return worker.isPresent()
                && worker.get().serves(job.domain())
                && !worker.get().closing()
                && world.truth().item(world.keys().cordon(workerId)).isEmpty()
                && worker.get().capacity().stream().allMatch(most -> used + job.weight() <= most);
    }
}
