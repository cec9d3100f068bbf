// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Assignment;
import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.Worker;
import io.headmast.core.policy.Eligibility;
import io.headmast.core.policy.Scheduling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the leader does: one look at each job that may need something, then the oldest waiting jobs go to the
 * workers that the policy chooses, then running jobs move if the load is uneven and the policy cares. What it plans counts as under way in the {@link ClusterState} until the state is told
 * what became of it. The same state gives the same plan, and once a plan has been committed nothing is left to plan but
 * moves that their rate puts off.
 * Pure; it belongs to the loop of its state.
 */
public final class Planner {
    private final ClusterState state;
    private final Placer placer;
    private final Rebalancer rebalancer;

    public Planner(ClusterState state, Scheduling scheduling) {
        this.state = state;
        this.placer = new Placer(state, scheduling.policy());
        this.rebalancer = new Rebalancer(state, placer, scheduling);
    }

    /**
     * Plans up to {@code limit} steps.
     *
     * @param now wall-clock time, for the records, for pauses between hand-backs, and for the rate of moves
     */
    public Plan plan(Instant now, int limit) {
        List<Step> steps = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        while (state.hasDirty() && steps.size() < limit) {
            for (JobSlot slot : state.takeDirty(limit - steps.size())) {
                judge(slot, now).ifPresent(step -> add(slot, step, steps));
            }
        }
        for (JobSlot slot : state.retention.due(now, limit - steps.size())) {
            judge(slot, now).ifPresent(step -> add(slot, step, steps));
        }
        place(now, limit, steps, problems);
        Optional<Instant> retryAt = nextLook();
        if (steps.size() < limit) {
            // Whatever still waits could be placed nowhere, so a job that moves takes nobody's place.
            steps.addAll(rebalancer.plan(now, limit - steps.size(), problems::add));
            retryAt = earlier(retryAt, rebalancer.retryAt());
        }
        return new Plan(steps, problems, retryAt);
    }

    /** When time alone makes something due. */
    private Optional<Instant> nextLook() {
        return Stream.of(state.backlog.nextRetry(), state.retention.next())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder());
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Instant::compareTo);
    }

    private void add(JobSlot slot, Step step, List<Step> steps) {
        state.assume(slot, step);
        steps.add(step);
    }

    private void place(Instant now, int limit, List<Step> steps, List<String> problems) {
        PriorityQueue<Backlog.Queue> open = state.backlog.open(now);
        while (!open.isEmpty() && steps.size() < limit) {
            Backlog.Queue queue = open.remove();
            JobSlot slot = queue.head();
            Placer.Answer answer = placer.place(slot, now);
            answer.problem().ifPresent(problems::add);
            if (answer.alone()) {
                state.backlog.add(slot, new Backlog.Kind(queue.kind.domain(), queue.kind.weight(), slot.id));
            }
            if (answer.step().isPresent()) {
                add(slot, answer.step().get(), steps);
            } else if (slot.queue != null) {
                state.backlog.block(slot.queue, answer.retryAt().orElse(null));
            }
            if (!queue.waiting.isEmpty() && (answer.step().isPresent() || slot.queue != queue)) {
                open.add(queue);
            }
        }
    }

    /** What one job needs by itself; a job that needs a place joins the backlog. */
    private Optional<Step> judge(JobSlot slot, Instant now) {
        if (slot.underWay || slot.isUnreadable()) {
            return Optional.empty();
        }
        Optional<Placement> placement = slot.placement();
        if (placement.isPresent()) {
            return judgePlaced(slot, placement.get());
        }
        if (slot.hasAssignments()) {
            return slot.stray().flatMap(workerId -> endStray(slot, workerId));
        }
        if (slot.isWaiting()) {
            state.backlog.add(slot, placer.kindOf(slot, now));
            return Optional.empty();
        }
        return judgeLeftover(slot, now);
    }

    private Optional<Step> judgePlaced(JobSlot slot, Placement placement) {
        if (slot.killOrder(placement).isPresent()) {
            return Optional.empty();
        }
        Known<Assignment> assignment = slot.assignmentOn(placement.workerId());
        if (assignment == null) {
            throw new IllegalStateException("placed without an assignment: " + slot);
        }
        WorkerSlot worker = state.workers.get(placement.workerId());
        if (worker != null && worker.isLapsed(assignment.lease())) {
            // The assignment went with its lease, which the mirror is about to see.
            return Optional.empty();
        }
        Optional<KillOrder> order = stopOrder(slot, placement, worker);
        if (order.isPresent()) {
            return Optional.of(stop(slot, placement, worker, order.get()));
        }
        Step.Target target = targetOf(placement, assignment, worker);
        TargetState wanted = slot.record().orElseThrow().targetState();
        boolean detached = assignment.lease() != target.lease();
        boolean asWanted = assignment
                .value()
                .filter(value -> value.targetState() == wanted)
                .isPresent();
        return asWanted && !detached
                ? Optional.empty()
                : Optional.of(new Step.Retarget(factsOf(slot), target, placement.epoch(), wanted));
    }

    /** An assignment that the state doesn't mean has to go before anything else is done about the job. */
    private Optional<Step> endStray(JobSlot slot, String workerId) {
        Known<Assignment> assignment = slot.assignmentOn(workerId);
        WorkerSlot worker = state.workers.get(workerId);
        if (assignment == null || (worker != null && worker.isLapsed(assignment.lease()))) {
            return Optional.empty();
        }
        Placement placement = new Placement(workerId, assignment.createRevision());
        KillOrder order =
                new KillOrder(placement.epoch(), Phase.PENDING, "the job's state doesn't name this assignment");
        return Optional.of(stop(slot, placement, worker, order));
    }

    /** Ends an assignment, which exists. */
    static Step.Stop stop(JobSlot slot, Placement placement, @Nullable WorkerSlot worker, KillOrder order) {
        Known<Assignment> assignment = slot.assignmentOn(placement.workerId());
        if (assignment == null) {
            throw new IllegalStateException("no assignment to end: " + slot);
        }
        return new Step.Stop(factsOf(slot), targetOf(placement, assignment, worker), order);
    }

    /** Names the worker's lease for an assignment that lost it because somebody wrote it by hand. */
    private static Step.Target targetOf(
            Placement placement, Known<Assignment> assignment, @Nullable WorkerSlot worker) {
        Known<Worker> registration = worker == null ? null : worker.registration;
        if (registration == null) {
            return new Step.Target(placement.workerId(), 0, assignment.lease());
        }
        long lease = assignment.lease() == 0 ? registration.lease() : assignment.lease();
        return new Step.Target(placement.workerId(), registration.createRevision(), lease);
    }

    /** Why a placement has to end, if it has to. A closing worker ends its own. */
    private static Optional<KillOrder> stopOrder(JobSlot slot, Placement placement, @Nullable WorkerSlot worker) {
        Optional<Job> record = slot.record();
        if (record.isEmpty()) {
            return Optional.of(new KillOrder(placement.epoch(), Phase.KILLED, "the job's record is gone"));
        }
        Job job = record.get();
        return usersOrder(job, placement)
                .or(() ->
                        moveReason(slot, job, worker).map(why -> new KillOrder(placement.epoch(), Phase.PENDING, why)));
    }

    /** What the job's user wants ended: it stands from when the record says so, whether or not it was passed on. */
    static Optional<KillOrder> usersOrder(Job job, Placement placement) {
        if (job.status() != JobStatus.CREATED) {
            String why = job.status() == JobStatus.DELETING ? "deleted" : "killed";
            return Optional.of(new KillOrder(placement.epoch(), Phase.KILLED, why));
        }
        return job.targetState() == TargetState.INACTIVE
                ? Optional.of(new KillOrder(placement.epoch(), Phase.INACTIVE, "stopped"))
                : Optional.empty();
    }

    private static Optional<String> moveReason(JobSlot slot, Job job, @Nullable WorkerSlot worker) {
        long ran = slot.runState().map(RunState::generation).orElse(job.generation());
        if (ran < job.generation()) {
            return Optional.of("restarted as generation " + job.generation());
        }
        if (worker == null) {
            return Optional.empty();
        }
        Optional<Cordon> drain = worker.mark().filter(mark -> mark.mode() == Cordon.Mode.DRAIN);
        if (drain.isPresent()) {
            String why = drain.get().reason();
            return Optional.of("worker " + worker.id + " drains" + (why.isEmpty() ? "" : ": " + why));
        }
        return worker.facts()
                .flatMap(facts -> Eligibility.inability(job, facts))
                .map(why -> "worker " + worker.id + " " + why);
    }

    /** A job that isn't placed and shouldn't be: what is left of it goes away if nobody wants that any more. */
    private static Optional<Step> judgeLeftover(JobSlot slot, Instant now) {
        if (slot.job == null) {
            return slot.state == null
                    ? Optional.empty()
                    : Optional.of(new Step.Remove(factsOf(slot), "it has no record"));
        }
        Job job = slot.record().orElseThrow();
        if (job.status() == JobStatus.DELETING) {
            return Optional.of(new Step.Remove(factsOf(slot), "deleted"));
        }
        return Retention.endOf(slot)
                .filter(end -> !end.isAfter(now))
                .map(end -> new Step.Remove(factsOf(slot), "finished, and kept for as long as it was to be"));
    }

    static Step.JobFacts factsOf(JobSlot slot) {
        return new Step.JobFacts(
                slot.id,
                slot.job == null ? 0 : slot.job.modRevision(),
                slot.state == null ? 0 : slot.state.modRevision(),
                slot.runState().flatMap(RunState::worker).orElse(""));
    }
}
