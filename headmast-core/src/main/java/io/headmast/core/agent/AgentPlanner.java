// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * Derives what a worker does from what it should run and what it runs, one run at a time. What it hands out counts as
 * under way in the {@link AgentState} until that is told what became of it. Pure; it belongs to the agent's loop. The
 * shape is that of fleet's later agent: desired × current → tasks with reasons.
 */
public final class AgentPlanner {
    private final AgentState agent;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();

    /** A run that is to be looked at again at that time, by the monotonic clock. */
    record Waiting(long untilNanos, String jobId) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            return Long.compare(untilNanos, other.untilNanos);
        }
    }

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
        while (!waiting.isEmpty() && waiting.peek().untilNanos() <= nanos) {
            agent.touch(waiting.remove().jobId());
        }
        List<Task> tasks = new ArrayList<>();
        for (String jobId : agent.takeDirty()) {
            new Look(agent, jobId, new Look.Moment(nanos, now), tasks::add, waiting::add).look();
        }
        return tasks;
    }

    /** When planning again will find more although nothing changes, by the monotonic clock. */
    public OptionalLong nextWake() {
        return waiting.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(waiting.peek().untilNanos());
    }
}
