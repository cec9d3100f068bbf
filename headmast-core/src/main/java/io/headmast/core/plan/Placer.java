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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
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
        Choice choice = formerWorkerOf(slot, job, candidates)
                .map(worker -> new Choice(Optional.of(worker), Optional.empty()))
                .orElseGet(() -> ask(job, candidates, context));
        Optional<String> chosen = choice.worker();
        Optional<String> problem = choice.problem();
        boolean alone = chosen.isEmpty() && candidates.nextAfter("").isPresent();
        Optional<Instant> retryAt = alone || problem.isPresent()
                ? Optional.of(now.plus(PAUSE_AFTER_REFUSAL))
                : handBacks.stream().map(RunState.HandBack::until).min(Instant::compareTo);
        return new Answer(
                chosen.map(worker -> placeOn(slot, worker, now)), retryAt, problem, alone || problem.isPresent());
    }

    /** The workers that a job could go to, its own included. */
    Candidates candidates(JobSlot slot, Instant now) {
        Job job = slot.record().orElseThrow();
        return state.index.candidates(job.domain(), job.weight(), excluded(activeHandBacks(slot, now)));
    }

    /** Asks where running jobs would go if they were placed now, which changes nothing. */
    Trial trial(Instant now, Consumer<String> problems) {
        return new Trial(now, problems);
    }

    /** Workers that hand jobs back are passed over here for a while: what runs well is not moved to try them. */
    final class Trial {
        private final Instant now;
        private final Consumer<String> problems;
        private Optional<Instant> shunnedUntil = Optional.empty();

        private Trial(Instant now, Consumer<String> problems) {
            this.now = now;
            this.problems = problems;
        }

        Optional<String> choose(JobSlot slot) {
            Job job = slot.record().orElseThrow();
            Predicate<String> excluded = excluded(activeHandBacks(slot, now)).or(this::isShunned);
            Choice choice = ask(job, state.index.candidates(job.domain(), job.weight(), excluded), context.copy());
            choice.problem().ifPresent(problems);
            return choice.worker();
        }

        /** When the first worker that was passed over is worth a try; empty if none was. */
        Optional<Instant> shunnedUntil() {
            return shunnedUntil;
        }

        private boolean isShunned(String workerId) {
            WorkerSlot worker = state.workers.get(workerId);
            if (worker == null || !worker.shunnedUntil.isAfter(now)) {
                return false;
            }
            if (shunnedUntil.isEmpty() || worker.shunnedUntil.isBefore(shunnedUntil.get())) {
                shunnedUntil = Optional.of(worker.shunnedUntil);
            }
            return true;
        }
    }

    /** What a policy answered, as far as it can be used. */
    private record Choice(Optional<String> worker, Optional<String> problem) {}

    private Choice ask(Job job, Candidates candidates, ScheduleContext with) {
        Optional<String> chosen;
        try {
            chosen = Objects.requireNonNull(policy.choose(job, candidates, with), "it chose null");
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            return new Choice(
                    Optional.empty(), Optional.of("policy " + policy.name() + " failed on job " + job.id() + ": " + e));
        }
        if (chosen.isPresent() && !candidates.contains(chosen.get())) {
            return new Choice(
                    Optional.empty(),
                    Optional.of("policy " + policy.name() + " chose worker " + chosen.get() + " for job " + job.id()
                            + ", which is not eligible"));
        }
        return new Choice(chosen, Optional.empty());
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

    /** What became of the placement before says why there is another: a lapse says nothing, an order does. */
    private String reason(Optional<RunState> last) {
        String before = last.filter(run -> run.worker().isPresent())
                .map(run -> run.phase() == Phase.PENDING
                        ? "; before: " + run.reason()
                        : "; it was on worker " + run.worker().get() + " before")
                .orElse("");
        return "placed by " + policy.name() + before;
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
