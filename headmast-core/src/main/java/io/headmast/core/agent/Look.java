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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One look at one job: what is to be done about its run now. Pure. */
final class Look {
    private final AgentState agent;
    private final String jobId;
    private final long nanos;
    private final Instant now;
    private final Consumer<Task> tasks;
    private final Consumer<AgentPlanner.Waiting> waiting;

    /** When it is, by the monotonic clock and by the wall clock. */
    record Moment(long nanos, Instant wall) {}

    Look(AgentState agent, String jobId, Moment now, Consumer<Task> tasks, Consumer<AgentPlanner.Waiting> waiting) {
        this.agent = agent;
        this.jobId = jobId;
        this.nanos = now.nanos();
        this.now = now.wall();
        this.tasks = tasks;
        this.waiting = waiting;
    }

    void look() {
        Run run = agent.runs.get(jobId);
        if (run != null && isSuperseded(run)) {
            if (!abandon(run)) {
                return;
            }
            if (run.gone && isShown(run)) {
                run.stage = Run.Stage.RELEASED;
                return;
            }
            agent.runs.remove(jobId);
            run = null;
        }
        if (run == null) {
            run = takeUp();
        }
        if (run != null && agent.current().isPresent()) {
            advance(run);
        }
    }

    /** Its lease is not safe, or its assignment is gone, or another one has its place. */
    private boolean isSuperseded(Run run) {
        return agent.current().isEmpty() || run.gone || !isShown(run);
    }

    /** Whether the mirror shows the run's own assignment. */
    private boolean isShown(Run run) {
        AgentState.Assigned assigned = agent.assignmentOf(jobId);
        return assigned != null && assigned.epoch() == run.epoch;
    }

    /** Ends what is left of a superseded run; whether nothing is. */
    private boolean abandon(Run run) {
        if (run.stage == Run.Stage.STARTING || run.stage == Run.Stage.RUNNING) {
            run.stage = Run.Stage.STOPPING;
            tasks.accept(
                    new Task.Stop(jobId, run.epoch, "superseded: the placement of epoch " + run.epoch + " is gone"));
        }
        return !run.isActive();
    }

    private @Nullable Run takeUp() {
        if (agent.current().isEmpty()) {
            return null;
        }
        AgentState.Assigned assigned = agent.assignmentOf(jobId);
        AgentState.Ordered order = agent.killerOf(jobId);
        if (assigned == null) {
            if (order != null) {
                tasks.accept(new Task.DropKiller(jobId, order.revision()));
            }
            return null;
        }
        Run run = new Run(jobId, assigned.epoch());
        agent.runs.put(jobId, run);
        return run;
    }

    private void advance(Run run) {
        if (run.mustRead && !run.reading && !run.writing) {
            run.reading = true;
            tasks.accept(new Task.Read(jobId, run.epoch));
        }
        boolean busy = run.reading || run.writing;
        switch (run.stage) {
            case ASSIGNED -> {
                if (run.found != null) {
                    accept(run, run.found);
                }
            }
            case READY -> {
                if (!busy) {
                    ready(run);
                }
            }
            case STARTING, RUNNING -> running(run, busy);
            case STOPPING ->
                run.stuck.filter(reason -> !busy).ifPresent(reason -> reportIfNews(run, Phase.STOPPING, reason));
            case ENDED -> {
                if (!busy) {
                    ended(run);
                }
            }
            case LEAVING -> {
                if (!busy) {
                    release(run);
                }
            }
            case RELEASED -> {}
        }
    }

    /** Whether the run may begin at all; what the record says now counts, not what the leader saw. */
    private void accept(Run run, Reading found) {
        run.found = null;
        run.job = found.job().orElse(null);
        if (run.state == null) {
            leave(run, Optional.empty());
            return;
        }
        RunState state = run.state;
        run.attempt = state.attempt();
        Session session = agent.current().orElseThrow();
        Optional<RunState> objection = new Objections(session, now).of(state, found);
        if (objection.isPresent()) {
            leave(run, objection);
            return;
        }
        run.claimFirst = run.epoch < session.begunAt();
        run.stage = Run.Stage.READY;
        if (!run.reading && !run.writing) {
            ready(run);
        }
    }

    private void ready(Run run) {
        if (run.state == null) {
            leave(run, Optional.empty());
            return;
        }
        Optional<RunState> leaving = new Dismissal(agent, now).of(run);
        if (leaving.isPresent()) {
            leave(run, leaving);
        } else if (run.claimFirst) {
            report(run, run.placed().to(Phase.LOADED, now, "taken over after a restart of the worker"));
        } else if (target(run) == TargetState.LOADED) {
            reportIfNews(run, Phase.LOADED, "loaded");
        } else if (run.record().restart().exhaustedBy(run.attempt)) {
            leave(
                    run,
                    Optional.of(run.placed()
                            .to(
                                    Phase.FAILED,
                                    now,
                                    "no attempt is left of "
                                            + run.record().restart().maxAttempts())));
        } else if (run.waitsUntilNanos != 0 && run.waitsUntilNanos - nanos > 0) {
            reportIfNews(run, Phase.LOADED, run.ending == null ? "waits" : run.ending.reason());
        } else {
            run.waitsUntilNanos = 0;
            run.attempt++;
            run.stage = Run.Stage.STARTING;
            tasks.accept(new Task.Start(run.record(), run.epoch, run.attempt));
        }
    }

    private void running(Run run, boolean busy) {
        Optional<String> why = agent.killOrder(run).map(KillOrder::reason);
        if (why.isEmpty() && agent.isClosing()) {
            why = Optional.of("the worker closes");
        }
        if (why.isEmpty() && target(run) == TargetState.LOADED) {
            why = Optional.of("target state is loaded");
        }
        if (why.isEmpty() && !busy && run.state == null) {
            why = Optional.of("its state was taken away");
        }
        if (why.isPresent()) {
            run.stage = Run.Stage.STOPPING;
            tasks.accept(new Task.Stop(jobId, run.epoch, why.get()));
        } else if (run.stage == Run.Stage.RUNNING && !busy) {
            RunState state = run.placed();
            boolean news = state.phase() != Phase.RUNNING
                    || state.attempt() != run.attempt
                    || !state.progress().equals(run.progress);
            if (news) {
                Instant since = state.phase() == Phase.RUNNING && state.attempt() == run.attempt ? state.since() : now;
                report(
                        run,
                        state.to(Phase.RUNNING, since, "started")
                                .withAttempt(run.attempt)
                                .withHandBacks(List.of()));
            }
        }
    }

    private void ended(Run run) {
        if (run.state == null) {
            leave(run, Optional.empty());
            return;
        }
        Ending ending = run.ending == null ? new Ending(Ending.Kind.STOPPED, "stopped", Optional.empty()) : run.ending;
        RunState outcome = run.placed().withAttempt(run.attempt).withOutcome(ending.exit(), run.progress);
        boolean stopped = ending.kind() == Ending.Kind.STOPPED;
        Optional<RunState> leaving = new Dismissal(agent, now).of(run);
        if (leaving.isPresent() && (stopped || leaving.get().phase() != Phase.PENDING)) {
            leave(run, Optional.of(leaving.get().withOutcome(ending.exit(), run.progress)));
            return;
        }
        RestartPolicy policy = run.record().restart();
        boolean again = stopped
                || policy.when() == RestartPolicy.When.ALWAYS
                || (policy.when() == RestartPolicy.When.ON_FAILURE && ending.kind() == Ending.Kind.FAILED);
        if (again && (stopped || !policy.exhaustedBy(run.attempt))) {
            again(run, ending, stopped ? Duration.ZERO : policy.backoffAfter(run.attempt));
        } else {
            Phase phase = ending.kind() == Ending.Kind.COMPLETED ? Phase.COMPLETED : Phase.FAILED;
            leave(run, Optional.of(outcome.to(phase, now, ending.reason())));
        }
    }

    private void again(Run run, Ending ending, Duration pause) {
        run.stage = Run.Stage.READY;
        run.stuck = Optional.empty();
        run.progress = Optional.empty();
        if (!pause.isZero()) {
            run.ending = new Ending(
                    ending.kind(),
                    "attempt " + run.attempt + " ended (" + ending.reason() + "); the next comes after "
                            + DurationText.format(pause),
                    ending.exit());
            run.waitsUntilNanos = nanos + pause.toNanos();
            waiting.accept(new AgentPlanner.Waiting(run.waitsUntilNanos, jobId));
        }
        ready(run);
    }

    private void leave(Run run, Optional<RunState> finalState) {
        run.stage = Run.Stage.LEAVING;
        run.finalState = finalState;
        if (!run.reading && !run.writing) {
            release(run);
        }
    }

    private void release(Run run) {
        if (run.state == null) {
            run.finalState = Optional.empty();
        }
        run.writing = true;
        tasks.accept(new Task.Release(jobId, run.epoch, run.stateRevision, run.finalState));
    }

    private void reportIfNews(Run run, Phase phase, String reason) {
        RunState state = run.placed();
        if (state.phase() != phase || !state.reason().equals(reason) || state.attempt() != run.attempt) {
            report(run, state.to(phase, now, reason).withAttempt(run.attempt));
        }
    }

    private void report(Run run, RunState next) {
        run.writing = true;
        tasks.accept(new Task.Report(jobId, run.epoch, run.stateRevision, next.withOutcome(next.exit(), run.progress)));
    }

    private TargetState target(Run run) {
        AgentState.Assigned assigned = agent.assignmentOf(run.jobId);
        return assigned == null
                ? TargetState.LAUNCHED
                : assigned.value().map(Assignment::targetState).orElse(TargetState.LAUNCHED);
    }
}
