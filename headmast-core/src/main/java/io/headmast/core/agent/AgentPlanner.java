// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Derives what a worker does from what it should run and what it runs, one run at a time. What it hands out counts as
 * under way in the {@link AgentState} until that is told what became of it. Pure; it belongs to the agent's loop. The
 * shape is that of fleet's later agent: desired × current → tasks with reasons.
 */
public final class AgentPlanner {
    private final AgentState agent;
    private final Alarms alarms = new Alarms();

    public AgentPlanner(AgentState agent) {
        this.agent = agent;
    }

    /**
     * What is to be done now, for the runs that something changed for.
     *
     * @param nanos monotonic time
     * @param now wall-clock time, for the records
     */
    public List<Task> plan(long nanos, Instant now) {
        alarms.due(nanos).forEach(agent::touch);
        List<Task> tasks = new ArrayList<>();
        for (String jobId : agent.takeDirty()) {
            look(jobId, new Look.Moment(nanos, now), tasks);
            Run run = agent.runs.get(jobId);
            alarms.set(jobId, run == null ? OptionalLong.empty() : run.nextLook(nanos));
        }
        return tasks;
    }

    /** When planning again will find more although nothing changes, by the monotonic clock. */
    public OptionalLong nextWake() {
        return alarms.next();
    }

    private void look(String jobId, Look.Moment now, List<Task> tasks) {
        Run run = agent.runs.get(jobId);
        if (run != null && isSuperseded(run)) {
            if (!abandon(run, tasks)) {
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
            run = takeUp(jobId, tasks);
        }
        if (run != null && agent.current().isPresent()) {
            new Look(agent, run, now, tasks::add).advance();
        }
    }

    /** Its lease is not safe, or its assignment is gone, or another one has its place. */
    private boolean isSuperseded(Run run) {
        return agent.current().isEmpty() || run.gone || !isShown(run);
    }

    /** Whether the mirror shows the run's own assignment. */
    private boolean isShown(Run run) {
        AgentState.Assigned assigned = agent.assignmentOf(run.jobId);
        return assigned != null && assigned.epoch() == run.epoch;
    }

    /** Ends what is left of a superseded run; whether nothing is. */
    private boolean abandon(Run run, List<Task> tasks) {
        if (run.stage == Run.Stage.STARTING || run.stage == Run.Stage.RUNNING) {
            run.stage = Run.Stage.STOPPING;
            tasks.add(new Task.Stop(
                    run.jobId, run.epoch, "superseded: the placement of epoch " + run.epoch + " is gone"));
        }
        return !run.isActive();
    }

    private @Nullable Run takeUp(String jobId, List<Task> tasks) {
        if (agent.current().isEmpty()) {
            return null;
        }
        AgentState.Assigned assigned = agent.assignmentOf(jobId);
        AgentState.Ordered order = agent.killerOf(jobId);
        if (assigned == null) {
            if (order != null && !agent.isHeldByAnother(jobId)) {
                tasks.add(new Task.DropKiller(jobId, order.revision()));
            }
            return null;
        }
        Run run = new Run(jobId, assigned.epoch());
        agent.runs.put(jobId, run);
        return run;
    }
}
