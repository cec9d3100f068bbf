// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds a worker for one waiting job by asking the policy, whose mistakes it contains. Pure. */
final class Placer {
    private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofSeconds(1);

    private final ClusterState state;
    private final SchedulePolicy policy;
    private final ScheduleContext context = new ScheduleContext();

    Placer(ClusterState state, SchedulePolicy policy) {
        this.state = state;
        this.policy = policy;
    }

    /**
     * @param step the placement; empty if there is no worker now
     * @param retryAt when there may be one although nothing changes
     * @param problem what the policy did wrong
     * @param alone whether it says nothing about the jobs that are alike: the policy failed on this one or would rather
     *     wait with it
     */
    record Answer(Optional<Step.Place> step, Optional<Instant> retryAt, Optional<String> problem, boolean alone) {}

    /** The queue that a job waits in: one of its own if workers have handed it back, else that of its like. */
    Backlog.Kind kindOf(JobSlot slot, Instant now) {
        Job job = slot.record().orElseThrow();
        boolean special = !activeHandBacks(slot, now).isEmpty();
        return new Backlog.Kind(job.domain(), job.weight(), special ? slot.id : "");
    }

    Answer place(JobSlot slot, Instant now) {
        Job job = slot.record().orElseThrow();
        List<RunState.HandBack> handBacks = activeHandBacks(slot, now);
        Candidates candidates = state.index.candidates(job.domain(), job.weight(), excluded(handBacks));
        Optional<String> problem = Optional.empty();
        Optional<String> chosen = formerWorkerOf(slot, job, candidates);
        if (chosen.isEmpty()) {
            try {
                chosen = policy.choose(job, candidates, context);
            } catch (RuntimeException e) {
                problem = Optional.of("policy " + policy.name() + " failed on job " + job.id() + ": " + e);
            }
            if (chosen.isPresent() && !candidates.contains(chosen.get())) {
                problem = Optional.of("policy " + policy.name() + " chose worker " + chosen.get() + " for job "
                        + job.id() + ", which is not eligible");
                chosen = Optional.empty();
            }
        }
        boolean alone = chosen.isEmpty() && candidates.nextAfter("").isPresent();
        Optional<Instant> retryAt = alone || problem.isPresent()
                ? Optional.of(now.plus(PAUSE_AFTER_REFUSAL))
                : handBacks.stream().map(RunState.HandBack::until).min(Instant::compareTo);
        return new Answer(
                chosen.map(worker -> placeOn(slot, worker, now)), retryAt, problem, alone || problem.isPresent());
    }

    /** A restarted job goes back to where it ran, if it may. */
    private static Optional<String> formerWorkerOf(JobSlot slot, Job job, Candidates candidates) {
        return slot.runState()
                .filter(last -> last.generation() < job.generation())
                .flatMap(RunState::worker)
                .filter(candidates::contains);
    }

    private Step.Place placeOn(JobSlot slot, String workerId, Instant now) {
        Job job = slot.record().orElseThrow();
        WorkerSlot worker = state.workers.get(workerId);
        Known<?> registration = worker == null ? null : worker.registration;
        if (registration == null) {
            throw new IllegalStateException("a worker without registration was open: " + workerId);
        }
        Optional<RunState> last =
                slot.runState().filter(run -> run.generation() == job.generation() && !wasOrderedAway(run));
        RunState next = RunState.unplaced(
                        Phase.SCHEDULED,
                        job.generation(),
                        last.map(run -> attemptsOf(run, job)).orElse(0),
                        now,
                        reason(last))
                .withWorker(Optional.of(workerId), 0)
                .withHandBacks(last.map(RunState::handBacks).orElse(List.of()));
        Step.Target target = new Step.Target(workerId, registration.createRevision(), registration.lease());
        return new Step.Place(Planner.factsOf(slot), target, job.targetState(), next);
    }

    /**
     * A lapse counts as an attempt. A start that was reported is counted in the state already; a worker that died before
     * it reported anything may have started the job, and may have died of that.
     */
    private static int attemptsOf(RunState last, Job job) {
        boolean perhaps = last.phase() == Phase.SCHEDULED && job.targetState() == TargetState.LAUNCHED;
        return last.attempt() + (perhaps ? 1 : 0);
    }

    /** A user took it off: what comes now begins anew. */
    private static boolean wasOrderedAway(RunState last) {
        return last.phase() == Phase.KILLED || last.phase() == Phase.INACTIVE;
    }

    private String reason(Optional<RunState> last) {
        String lapsed = last.filter(run -> run.phase() != Phase.PENDING)
                .flatMap(RunState::worker)
                .map(worker -> "; it was on worker " + worker + " before")
                .orElse("");
        return "placed by " + policy.name() + lapsed;
    }

    private static Predicate<String> excluded(List<RunState.HandBack> handBacks) {
        return workerId ->
                handBacks.stream().anyMatch(handBack -> handBack.worker().equals(workerId));
    }

    /** Hand-backs that still count: of this generation, by the same registration, and not too long ago. */
    private List<RunState.HandBack> activeHandBacks(JobSlot slot, Instant now) {
        Job job = slot.record().orElseThrow();
        return slot
                .runState()
                .filter(run -> run.generation() == job.generation())
                .map(RunState::handBacks)
                .orElse(List.of())
                .stream()
                .filter(handBack -> handBack.until().isAfter(now) && isRegistered(handBack))
                .toList();
    }

    private boolean isRegistered(RunState.HandBack handBack) {
        WorkerSlot worker = state.workers.get(handBack.worker());
        return worker != null
                && worker.registration != null
                && worker.registration.createRevision() == handBack.registration();
    }
}
