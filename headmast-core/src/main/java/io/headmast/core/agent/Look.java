// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Assignment;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.json.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** One look at one run of a registered worker: what is to be done about it now. Pure. */
final class Look {
    private static final Duration PROGRESS_PAUSE = Duration.ofSeconds(1);

    /** Until a lease that isn't safe any more fences the worker, its runs aren't started over and over. */
    private static final Duration PAUSE_AFTER_STOP_ELSEWHERE = Duration.ofSeconds(1);

    private final AgentState agent;
    private final Run run;
    private final String jobId;
    private final long nanos;
    private final Instant now;
    private final Consumer<Task> tasks;

    /** When it is, by the monotonic clock and by the wall clock. */
    record Moment(long nanos, Instant wall) {}

    Look(AgentState agent, Run run, Moment now, Consumer<Task> tasks) {
        this.agent = agent;
        this.run = run;
        this.jobId = run.jobId;
        this.nanos = now.nanos();
        this.now = now.wall();
        this.tasks = tasks;
    }

    void advance() {
        if (run.mustRead && !run.reading && !run.writing) {
            read();
        }
        boolean busy = run.reading || run.writing;
        switch (run.stage) {
            case ASSIGNED -> {
                if (run.found != null) {
                    accept(run.found);
                }
            }
            case READY -> {
                if (!busy && run.found != null) {
                    accept(run.found);
                } else if (!busy) {
                    ready();
                }
            }
            case STARTING, RUNNING -> running(busy);
            case STOPPING -> {
                if (!busy && run.state != null && run.stuck.isPresent()) {
                    reportIfNews(Phase.STOPPING, run.stuck.get());
                }
            }
            case ENDED -> {
                if (!busy) {
                    ended();
                }
            }
            case LEAVING -> {
                if (!busy) {
                    release();
                }
            }
            case RELEASED -> {}
        }
    }

    /** Whether the run may begin at all; what the record says now counts, not what the leader saw. */
    private void accept(Reading found) {
        run.found = null;
        run.job = found.job().orElse(null);
        if (run.state == null) {
            leave(Optional.empty());
            return;
        }
        Session session = agent.current().orElseThrow();
        if (run.stage == Run.Stage.ASSIGNED) {
            run.claimFirst = run.epoch < session.begunAt();
            // A predecessor that reported nothing may have started it, and may have died of that.
            boolean perhaps =
                    run.claimFirst && run.state.phase() == Phase.SCHEDULED && target() == TargetState.LAUNCHED;
            run.attempt = run.state.attempt() + (perhaps ? 1 : 0);
        }
        Optional<RunState> objection = new Objections(session, now).of(run.state.withAttempt(run.attempt), found);
        if (objection.isPresent()) {
            leave(objection);
            return;
        }
        run.stage = Run.Stage.READY;
        if (!run.reading && !run.writing) {
            ready();
        }
    }

    private void ready() {
        if (run.state == null) {
            leave(Optional.empty());
            return;
        }
        Optional<RunState> leaving = new Dismissal(agent, now).of(run);
        if (leaving.isPresent()) {
            leave(leaving);
        } else if (run.claimFirst) {
            report(run.placed()
                    .to(Phase.LOADED, now, "taken over after a restart of the worker")
                    .withAttempt(run.attempt));
        } else if (target() == TargetState.LOADED) {
            reportIfNews(Phase.LOADED, "loaded");
        } else if (run.record().restart().exhaustedBy(run.attempt)) {
            leave(Optional.of(run.placed()
                    .to(
                            Phase.FAILED,
                            now,
                            "no attempt is left of " + run.record().restart().maxAttempts())));
        } else if (run.waitsUntilNanos != 0 && run.waitsUntilNanos - nanos > 0) {
            reportIfNews(Phase.LOADED, run.ending == null ? "waits" : run.ending.reason());
        } else if (run.outdated) {
            run.outdated = false;
            read();
        } else {
            run.waitsUntilNanos = 0;
            run.attempt++;
            run.stage = Run.Stage.STARTING;
            run.timed = false;
            run.endsByNanos = OptionalLong.empty();
            run.overdue = Optional.empty();
            tasks.accept(new Task.Start(run.record(), run.epoch, run.attempt));
        }
    }

    private void read() {
        run.reading = true;
        tasks.accept(new Task.Read(jobId, run.epoch));
    }

    private void running(boolean busy) {
        Optional<String> why = agent.killOrder(run).map(KillOrder::reason);
        if (why.isEmpty() && agent.isClosing()) {
            why = Optional.of("the worker closes");
        }
        if (why.isEmpty() && target() == TargetState.LOADED) {
            why = Optional.of("target state is loaded");
        }
        if (why.isEmpty() && !busy && run.state == null) {
            why = Optional.of("its state was taken away");
        }
        if (why.isEmpty()) {
            run.overdue = overdue();
            why = run.overdue;
        }
        if (why.isPresent()) {
            run.stage = Run.Stage.STOPPING;
            tasks.accept(new Task.Stop(jobId, run.epoch, why.get()));
        } else if (run.stage == Run.Stage.RUNNING && !busy) {
            reportRunning();
        }
    }

    /** That it has run for longer than it may; its time counts from when it is first seen to run. */
    private Optional<String> overdue() {
        if (run.stage != Run.Stage.RUNNING) {
            return Optional.empty();
        }
        Optional<Duration> most = run.record().maxRunTime();
        if (!run.timed) {
            run.timed = true;
            run.endsByNanos =
                    most.stream().mapToLong(time -> nanos + time.toNanos()).findFirst();
        }
        return run.endsByNanos.isPresent() && run.endsByNanos.getAsLong() - nanos <= 0
                ? most.map(time -> "ran longer than maxRunTime " + DurationText.format(time))
                : Optional.empty();
    }

    /** That it runs is said at once, how far it is only now and then: a handler may say that all the time. */
    private void reportRunning() {
        RunState state = run.placed();
        boolean known = state.phase() == Phase.RUNNING && state.attempt() == run.attempt;
        boolean farther = !state.progress().equals(run.progress) && run.quietUntilNanos - nanos <= 0;
        if (!known || farther) {
            run.quietUntilNanos = nanos + PROGRESS_PAUSE.toNanos();
            report(state.to(Phase.RUNNING, known ? state.since() : now, "started")
                    .withAttempt(run.attempt)
                    .withHandBacks(List.of()));
        }
    }

    private void ended() {
        if (run.state == null) {
            leave(Optional.empty());
            return;
        }
        Ending ending = ending();
        RunState outcome = run.placed().withAttempt(run.attempt).withOutcome(ending.exit(), run.progress);
        boolean stopped = ending.kind() == Ending.Kind.STOPPED;
        boolean refused = ending.kind() == Ending.Kind.REFUSED;
        Optional<RunState> leaving = new Dismissal(agent, now).of(run);
        if (leaving.isPresent() && (stopped || refused || leaving.get().phase() != Phase.PENDING)) {
            leave(Optional.of(leaving.get().withOutcome(ending.exit(), run.progress)));
            return;
        }
        if (stopped || refused) {
            // Not the job's fault, so the start doesn't count.
            run.attempt--;
        }
        if (refused) {
            Objections objections = new Objections(agent.current().orElseThrow(), now);
            leave(Optional.of(objections.handedBack(run.placed().withAttempt(run.attempt), ending.reason())));
            return;
        }
        RestartPolicy policy = run.record().restart();
        boolean again = stopped
                || policy.when() == RestartPolicy.When.ALWAYS
                || (policy.when() == RestartPolicy.When.ON_FAILURE && ending.kind() == Ending.Kind.FAILED);
        if (again && (stopped || !policy.exhaustedBy(run.attempt))) {
            again(ending, stopped ? pauseAfterStop() : policy.backoffAfter(run.attempt));
        } else {
            Phase phase = ending.kind() == Ending.Kind.COMPLETED ? Phase.COMPLETED : Phase.FAILED;
            leave(Optional.of(outcome.to(phase, now, ending.reason())));
        }
    }

    private Duration pauseAfterStop() {
        return run.stoppedElsewhere ? PAUSE_AFTER_STOP_ELSEWHERE : Duration.ZERO;
    }

    /** How the attempt ended; what was stopped for running too long has failed, unless it ended by itself before. */
    private Ending ending() {
        Ending ending = run.ending == null ? new Ending(Ending.Kind.STOPPED, "stopped", Optional.empty()) : run.ending;
        return ending.kind() == Ending.Kind.STOPPED && run.overdue.isPresent()
                ? new Ending(Ending.Kind.FAILED, run.overdue.get(), ending.exit())
                : ending;
    }

    private void again(Ending ending, Duration pause) {
        run.stage = Run.Stage.READY;
        run.outdated = true;
        run.stuck = Optional.empty();
        run.progress = Optional.empty();
        if (!pause.isZero()) {
            run.ending = new Ending(
                    ending.kind(),
                    "attempt " + run.attempt + " ended (" + ending.reason() + "); the next comes after "
                            + DurationText.format(pause),
                    ending.exit());
            run.waitsUntilNanos = nanos + pause.toNanos();
        }
        ready();
    }

    private void leave(Optional<RunState> finalState) {
        run.stage = Run.Stage.LEAVING;
        run.finalState = finalState;
        if (!run.reading && !run.writing) {
            release();
        }
    }

    private void release() {
        if (run.state == null) {
            run.finalState = Optional.empty();
        }
        run.writing = true;
        tasks.accept(new Task.Release(jobId, run.epoch, run.stateRevision, run.finalState));
    }

    private void reportIfNews(Phase phase, String reason) {
        RunState state = run.placed();
        if (state.phase() != phase || !state.reason().equals(reason) || state.attempt() != run.attempt) {
            report(state.to(phase, now, reason).withAttempt(run.attempt));
        }
    }

    private void report(RunState next) {
        run.writing = true;
        tasks.accept(new Task.Report(jobId, run.epoch, run.stateRevision, next.withOutcome(next.exit(), run.progress)));
    }

    private TargetState target() {
        AgentState.Assigned assigned = agent.assignmentOf(jobId);
        return assigned == null
                ? TargetState.LAUNCHED
                : assigned.value().map(Assignment::targetState).orElse(TargetState.LAUNCHED);
    }
}
