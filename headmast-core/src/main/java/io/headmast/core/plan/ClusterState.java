// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Assignment;
import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster as it stood at one revision, indexed for planning, with the planner's own steps that are under way. It is
 * kept up to date by telling it each key that changed; a job is looked at again only when something it depends on
 * changed, so the cost of a change doesn't depend on the size of the cluster.
 *
 * <p>Pure and not thread-safe: it belongs to the scheduler's loop. Payloads aren't kept.
 */
public final class ClusterState {
    final NavigableMap<String, JobSlot> jobs = new TreeMap<>();
    final NavigableMap<String, WorkerSlot> workers = new TreeMap<>();
    final WorkerIndex index = new WorkerIndex();
    final Backlog backlog = new Backlog();
    final DomainIndex domains = new DomainIndex();
    final Retention retention = new Retention();
    final Movables movables = new Movables();
    private final Set<String> dirty = new LinkedHashSet<>();
    private final PriorityQueue<Settling> settling = new PriorityQueue<>();
    private long revision;
    private long records;
    private long placed;
    private long pending;
    private long workerChanges;

    /** A job whose step is known to have its effect, if any, at or before a revision. */
    private record Settling(long revision, String jobId) implements Comparable<Settling> {
        @Override
        public int compareTo(Settling other) {
            int byRevision = Long.compare(revision, other.revision);
            return byRevision != 0 ? byRevision : jobId.compareTo(other.jobId);
        }
    }

    /** The revision that it is as of. */
    public long revision() {
        return revision;
    }

    /** The jobs that have a record. */
    public long recordCount() {
        return records;
    }

    /** The jobs that are placed, placements under way not included. */
    public long placedCount() {
        return placed;
    }

    /** The jobs that should be placed and aren't, placements under way included. */
    public long pendingCount() {
        return pending;
    }

    /** Counts what changed on the workers: registrations, cordons, and what is placed on them. */
    long workerChanges() {
        return workerChanges;
    }

    public long liveWorkerCount() {
        return workers.values().stream()
                .filter(worker -> worker.live().isPresent())
                .count();
    }

    /** A job's record is now this, or gone. */
    public void job(String jobId, Optional<Known<Job>> record) {
        change(jobId, slot -> {
            records += (record.isPresent() ? 1 : 0) - (slot.job == null ? 0 : 1);
            Optional<String> before = slot.record().map(Job::domain);
            slot.job = record.orElse(null);
            domains.moved(slot.id, before, slot.record().map(Job::domain));
        });
    }

    /** A job's state is now this, or gone. */
    public void state(String jobId, Optional<Known<RunState>> state) {
        change(jobId, slot -> {
            state.flatMap(Known::value).ifPresent(value -> noteHandBacks(slot, value));
            slot.state = state.orElse(null);
        });
    }

    /** An assignment is now this, or gone. */
    public void assignment(String workerId, String jobId, Optional<Known<Assignment>> assignment) {
        change(jobId, slot -> slot.assign(workerId, assignment));
        WorkerSlot worker = worker(workerId);
        if (assignment.isPresent()) {
            worker.jobs.add(jobId);
        } else {
            worker.jobs.remove(jobId);
            forgetIfEmpty(worker);
        }
    }

    /** A kill order is now this, or gone. */
    public void killer(String workerId, String jobId, Optional<Known<KillOrder>> order) {
        change(jobId, slot -> slot.kill(workerId, order));
        WorkerSlot worker = worker(workerId);
        if (order.isPresent()) {
            worker.killing.add(jobId);
        } else {
            worker.killing.remove(jobId);
            forgetIfEmpty(worker);
        }
    }

    /** A worker's registration is now this, or gone. */
    public void worker(String workerId, Optional<Known<Worker>> registration) {
        WorkerSlot worker = worker(workerId);
        worker.register(registration);
        workerChanged(worker);
    }

    /** A worker's cordon is now this, or gone. */
    public void cordon(String workerId, Optional<Known<Cordon>> cordon) {
        WorkerSlot worker = worker(workerId);
        worker.cordon = cordon.orElse(null);
        workerChanged(worker);
    }

    /** Everything up to that revision has been told. */
    public void advance(long to) {
        revision = to;
        while (!settling.isEmpty() && settling.peek().revision <= to) {
            drop(settling.remove().jobId);
        }
    }

    /** A step that was planned has taken its effect, or has failed for good, at or before that revision. */
    public void settled(Step step, long at) {
        if (at <= revision) {
            drop(step.jobId());
        } else {
            settling.add(new Settling(at, step.jobId()));
        }
    }

    /** A step that was planned has not been carried out. */
    public void dropped(Step step) {
        drop(step.jobId());
    }

    /** A commit found the target's lease gone: nothing more is planned onto it. */
    public void lapsed(Step.Target target) {
        WorkerSlot worker = worker(target.workerId());
        worker.lapsedLease = target.lease();
        index.refresh(worker);
        movables.touch(worker);
        forgetIfEmpty(worker);
    }

    /** Jobs to look at, in the order in which they changed; they count as looked at from now on. */
    List<JobSlot> takeDirty(int limit) {
        List<JobSlot> taken = new ArrayList<>();
        var ids = dirty.iterator();
        while (ids.hasNext() && taken.size() < limit) {
            JobSlot slot = jobs.get(ids.next());
            ids.remove();
            if (slot != null) {
                taken.add(slot);
            }
        }
        return taken;
    }

    boolean hasDirty() {
        return !dirty.isEmpty();
    }

    /** A step for the job was planned; on a placement its weight counts on the worker from now on. */
    void assume(JobSlot slot, Step step) {
        backlog.remove(slot);
        movables.remove(slot);
        slot.underWay = true;
        slot.assumedOn = step instanceof Step.Place place ? place.workerId() : null;
        retention.refresh(slot);
        slot.stopUnderWay = step instanceof Step.Stop stop ? stop.order() : null;
        recount(slot);
    }

    /** From now on it is kept which jobs could move. */
    void trackMovables() {
        movables.track();
        jobs.values().forEach(this::recount);
        workers.values().forEach(movables::touch);
    }

    private void drop(String jobId) {
        JobSlot slot = jobs.get(jobId);
        if (slot != null && slot.underWay) {
            change(jobId, dropped -> {
                dropped.underWay = false;
                dropped.assumedOn = null;
                dropped.stopUnderWay = null;
            });
        }
    }

    private interface Change {
        void apply(JobSlot slot);
    }

    private void change(String jobId, Change change) {
        JobSlot slot = jobs.computeIfAbsent(jobId, JobSlot::new);
        backlog.remove(slot);
        movables.remove(slot);
        tally(slot, -1);
        change.apply(slot);
        tally(slot, 1);
        recount(slot);
        retention.refresh(slot);
        if (slot.isEmpty()) {
            jobs.remove(jobId);
            dirty.remove(jobId);
        } else {
            dirty.add(jobId);
        }
    }

    private void tally(JobSlot slot, int by) {
        Optional<Placement> placement = slot.placement();
        if (placement.isPresent()) {
            placed += by;
            workerChanges++;
            worker(placement.get().workerId()).placed +=
                    (long) by * slot.record().map(Job::weight).orElse(1);
        } else if (slot.isWaiting()) {
            pending += by;
        }
    }

    private void workerChanged(WorkerSlot worker) {
        workerChanges++;
        index.refresh(worker);
        movables.touch(worker);
        backlog.opening();
        dirty.addAll(worker.jobs);
        forgetIfEmpty(worker);
    }

    private WorkerSlot worker(String workerId) {
        return workers.computeIfAbsent(workerId, WorkerSlot::new);
    }

    private void forgetIfEmpty(WorkerSlot worker) {
        if (worker.isEmpty()) {
            index.remove(worker);
            movables.forget(worker);
            workers.remove(worker.id);
        }
    }

    /** Workers that say no are to be left in peace for a while; the state shows it only until the job runs elsewhere. */
    private void noteHandBacks(JobSlot slot, RunState next) {
        List<RunState.HandBack> known = slot.runState().map(RunState::handBacks).orElse(List.of());
        for (RunState.HandBack handBack : next.handBacks()) {
            WorkerSlot worker = workers.get(handBack.worker());
            if (worker != null && !known.contains(handBack)) {
                worker.refused(handBack.until());
                movables.touch(worker);
            }
        }
    }

    /**
     * Counts the job's weight on the worker that has it, or is about to get it, and nowhere else; there it can move, is
     * leaving, or neither.
     */
    private void recount(JobSlot slot) {
        Optional<Placement> placement = slot.placement();
        String on = slot.assumedOn != null
                ? slot.assumedOn
                : placement.map(Placement::workerId).orElse(null);
        int weight = slot.record().map(Job::weight).orElse(1);
        if (slot.countedOn != null && (!slot.countedOn.equals(on) || slot.countedWeight != weight)) {
            count(slot.countedOn, -slot.countedWeight);
            slot.countedOn = null;
            slot.countedWeight = 0;
        }
        if (slot.countedOn == null && on != null) {
            slot.countedOn = on;
            slot.countedWeight = weight;
            count(on, weight);
        }
        placement.ifPresent(where -> movables.add(slot, where, worker(where.workerId())));
    }

    private void count(String workerId, int weight) {
        WorkerSlot worker = worker(workerId);
        worker.used += weight;
        index.refresh(worker);
        movables.touch(worker);
        if (weight < 0) {
            backlog.opening();
            forgetIfEmpty(worker);
        }
    }
}
