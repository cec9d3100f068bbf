// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.Worker;
import io.headmast.api.WorkerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cluster as users are shown it. What is stored says only what happened last; whether a job is pending, stopping or
 * killed follows from order, placement and kill order, and is worked out here on every read. Jobs come without their
 * payload. Pure; it belongs to the loop of its state.
 */
public final class Observer {
    private final ClusterState state;
    private PendingReasons reasons;
    private long reasonsAt;

    public Observer(ClusterState state) {
        this.state = state;
        reasons = new PendingReasons(state);
    }

    /** Empty if the job has no record, or none that can be read. */
    public Optional<JobView> job(String jobId) {
        return look().job(jobId);
    }

    /** What is observed of a job whose record may be newer than what is known here. */
    public RunState observe(Job job) {
        return look().observe(job);
    }

    /** A look at many jobs at once, which costs less than one at each; valid until the state changes. */
    public Look look() {
        return new Look(reasons());
    }

    private PendingReasons reasons() {
        if (reasonsAt != state.workerChanges()) {
            reasonsAt = state.workerChanges();
            reasons = new PendingReasons(state);
        }
        return reasons;
    }

    /** See {@link #look()}. */
    public final class Look {
        private final PendingReasons reasons;

        private Look(PendingReasons reasons) {
            this.reasons = reasons;
        }

        /** The revision that it shows. */
        public long revision() {
            return state.revision();
        }

        /** Empty if the job has no record, or none that can be read. */
        public Optional<JobView> job(String jobId) {
            JobSlot slot = state.jobs.get(jobId);
            return slot == null ? Optional.empty() : view(slot, reasons);
        }

        /** What is observed of a job whose record may be another than the one known here. */
        public RunState observe(Job job) {
            JobSlot slot = state.jobs.get(job.id());
            return Observer.observe(job, slot == null ? new JobSlot(job.id()) : slot, reasons);
        }
    }

    /** A page of jobs by ascending id, after the query's cursor. */
    public JobPage page(JobQuery query) {
        List<JobView> items = new ArrayList<>();
        PendingReasons alike = reasons();
        for (JobSlot slot : state.jobs.tailMap(query.cursor().orElse(""), false).values()) {
            Optional<JobView> item = view(slot, alike).filter(view -> matches(query, view));
            if (item.isPresent()) {
                if (items.size() == query.limit()) {
                    return new JobPage(
                            items, Optional.of(items.get(items.size() - 1).job().id()), state.revision());
                }
                items.add(item.get());
            }
        }
        return new JobPage(items, Optional.empty(), state.revision());
    }

    /** Empty if the worker is neither live nor cordoned. */
    public Optional<WorkerView> worker(String workerId) {
        WorkerSlot slot = state.workers.get(workerId);
        return slot == null ? Optional.empty() : view(slot);
    }

    /** By ascending id. */
    public List<WorkerView> workers() {
        return state.workers.values().stream()
                .flatMap(slot -> view(slot).stream())
                .toList();
    }

    private static Optional<JobView> view(JobSlot slot, PendingReasons reasons) {
        return slot.record()
                .map(job ->
                        new JobView(job, slot.job == null ? 0 : slot.job.modRevision(), observe(job, slot, reasons)));
    }

    private static Optional<WorkerView> view(WorkerSlot slot) {
        Optional<Worker> registered = slot.registration == null ? Optional.empty() : slot.registration.value();
        if (registered.isEmpty() && slot.mark().isEmpty()) {
            return Optional.empty();
        }
        Worker worker = registered
                .orElseGet(() -> Worker.absent(slot.id))
                .withJobs(List.copyOf(slot.jobs), List.copyOf(slot.killing));
        return Optional.of(new WorkerView(worker, registered.isPresent(), slot.used, slot.mark()));
    }

    private static boolean matches(JobQuery query, JobView view) {
        Job job = view.job();
        boolean onWorker = query.worker().isEmpty()
                || (view.state().epoch() != 0
                        && query.worker().equals(view.state().worker()));
        return query.domain().map(job.domain()::equals).orElse(true)
                && query.status().map(status -> status == job.status()).orElse(true)
                && query.phase().map(phase -> phase == view.state().phase()).orElse(true)
                && onWorker
                && job.labels().entrySet().containsAll(query.labels().entrySet());
    }

    private static RunState observe(Job job, JobSlot slot, PendingReasons reasons) {
        RunState last = slot.runState()
                .orElseGet(() -> RunState.unplaced(Phase.PENDING, job.generation(), 0, Instant.EPOCH, ""));
        Optional<Placement> placement = slot.placement();
        if (placement.isPresent()) {
            RunState placed = last.withWorker(
                    Optional.of(placement.get().workerId()), placement.get().epoch());
            Optional<KillOrder> order =
                    slot.killOrder(placement.get()).or(() -> Planner.usersOrder(job, placement.get()));
            return order.isPresent()
                    ? placed.to(Phase.STOPPING, last.since(), order.get().reason())
                    : placed;
        }
        return unplaced(job, slot, last.withWorker(Optional.empty(), 0), reasons);
    }

    private static RunState unplaced(Job job, JobSlot slot, RunState last, PendingReasons reasons) {
        if (job.status() == JobStatus.DELETING) {
            return last.to(Phase.STOPPING, last.since(), "being deleted");
        }
        if (job.status() == JobStatus.KILLED) {
            return last.to(Phase.KILLED, last.since(), last.phase() == Phase.KILLED ? last.reason() : "killed");
        }
        if (slot.hasEnded(job)) {
            return slot.runState().orElseThrow();
        }
        if (job.targetState() == TargetState.INACTIVE) {
            return last.to(Phase.INACTIVE, last.since(), "target state is inactive");
        }
        if (slot.hasAssignments()) {
            return last.to(Phase.PENDING, last.since(), "an assignment that its state doesn't name has to end first");
        }
        return last.to(Phase.PENDING, last.since(), reasons.of(job, last));
    }
}
