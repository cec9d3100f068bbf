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
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as users are shown it. What is stored says only what happened last; whether a job is pending, stopping or
 * killed follows from order, placement and kill order, and is worked out here on every read. Jobs come without their
 * payload. Pure; it belongs to the loop of its state.
 */
public final class Observer {
    /** How many jobs one read looks at, so that nothing else waits long for the loop. */
    static final int MAX_LOOKED_AT = 10_000;

    private static final Reasons UNTOLD = (job, last) -> "";

    private final ClusterState state;
    private PendingReasons reasons;
    private long reasonsAt;

    /** Why a job waits. */
    interface Reasons {
        String of(Job job, RunState last);
    }

    /**
     * Which jobs a query matches.
     *
     * @param next where to go on; empty when there are no more
     * @param looked how many jobs were looked at for it
     */
    public record Selection(List<String> ids, Optional<String> next, int looked) {
        public Selection {
            ids = List.copyOf(ids);
        }
    }

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

    /**
     * A page of jobs by ascending id, after the query's cursor. It looks at {@value #MAX_LOOKED_AT} jobs at most: a page
     * with less than was asked for may be followed by others.
     */
    public JobPage page(JobQuery query) {
        Selection selection = select(query);
        PendingReasons alike = reasons();
        List<JobView> items = new ArrayList<>(selection.ids().size());
        for (String id : selection.ids()) {
            JobSlot slot = state.jobs.get(id);
            if (slot != null) {
                view(slot, alike).ifPresent(items::add);
            }
        }
        return new JobPage(items, selection.next(), state.revision());
    }

    /** The same without what is observed of them. */
    public Selection select(JobQuery query) {
        return select(query, candidates(query));
    }

    /** The same among some jobs only. */
    public Selection select(JobQuery query, SortedSet<String> among) {
        String after = query.cursor().orElse("");
        return select(query, among.tailSet(after + '\0').iterator());
    }

    private Selection select(JobQuery query, Iterator<String> candidates) {
        List<String> ids = new ArrayList<>();
        Optional<String> last = Optional.empty();
        int looked = 0;
        while (candidates.hasNext()) {
            if (looked == MAX_LOOKED_AT) {
                return new Selection(ids, last, looked);
            }
            String id = candidates.next();
            looked++;
            if (matches(query, state.jobs.get(id))) {
                if (ids.size() == query.limit()) {
                    return new Selection(ids, Optional.of(ids.get(ids.size() - 1)), looked);
                }
                ids.add(id);
            }
            last = Optional.of(id);
        }
        return new Selection(ids, Optional.empty(), looked);
    }

    /** Of the conditions that an index answers, the one with the fewest jobs in most cases. */
    private Iterator<String> candidates(JobQuery query) {
        String after = query.cursor().orElse("");
        if (query.worker().isPresent()) {
            WorkerSlot worker = state.workers.get(query.worker().get());
            return worker == null
                    ? Collections.emptyIterator()
                    : worker.jobs.tailSet(after, false).iterator();
        }
        return query.domain().isPresent()
                ? state.domains.after(query.domain().get(), after)
                : state.jobs.tailMap(after, false).keySet().iterator();
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

    /** What is cheap to tell comes first; what is observed is worked out only when it is asked for. */
    private static boolean matches(JobQuery query, @Nullable JobSlot slot) {
        Optional<Job> record = slot == null ? Optional.empty() : slot.record();
        if (slot == null || record.isEmpty()) {
            return false;
        }
        Job job = record.get();
        return query.domain().map(job.domain()::equals).orElse(true)
                && query.status().map(status -> status == job.status()).orElse(true)
                && job.labels().entrySet().containsAll(query.labels().entrySet())
                && (query.worker().isEmpty()
                        || slot.placement().map(Placement::workerId).equals(query.worker()))
                && query.phase()
                        .map(phase -> phase == observe(job, slot, UNTOLD).phase())
                        .orElse(true);
    }

    private static RunState observe(Job job, JobSlot slot, Reasons reasons) {
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

    private static RunState unplaced(Job job, JobSlot slot, RunState last, Reasons reasons) {
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
