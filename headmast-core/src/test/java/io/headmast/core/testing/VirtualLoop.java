// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * An event loop in virtual time: nothing runs and no time passes but by {@link #advance} and {@link #runUntilIdle}.
 * Tasks run by their due time, those of one time in the order they were sent, so every run is the same.
 *
 * <p>Belongs to one thread. A task that throws ends the call that ran it, so a test sees the bug.
 */
public final class VirtualLoop implements EventLoop {
    /** The most tasks that one call runs: more means that two parties keep waking each other without end. */
    private static final int MAX_TASKS = 10_000_000;

    private static final Instant WALL_ORIGIN = Instant.parse("2001-01-01T00:00:00Z");

    private static final class Task implements Timer {
        private final long due;
        private final long order;
        private final Runnable action;
        private boolean cancelled;

        Task(long due, long order, Runnable action) {
            this.due = due;
            this.order = order;
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.<Task>comparingLong(t -> t.due).thenComparingLong(t -> t.order));
    private long now;
    private long sent;
    private long ran;

    @Override
    public void execute(Runnable task) {
        tasks.add(new Task(now, sent++, task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        var timer = new Task(now + Math.max(0, delay.toNanos()), sent++, task);
        tasks.add(timer);
        return timer;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Instant wallTime() {
        return WALL_ORIGIN.plusNanos(now);
    }

    /** Runs everything that is due, and what that makes due, without letting time pass. */
    public void runUntilIdle() {
        runUntil(now);
    }

    /** Lets time pass and runs everything at its time. */
    public void advance(Duration duration) {
        runUntil(now + duration.toNanos());
    }

    /** Lets time pass while a task runs: what it does takes so long. */
    public void pass(Duration duration) {
        now += duration.toNanos();
    }

    /** How many tasks have run so far. */
    public long ran() {
        return ran;
    }

    private void runUntil(long end) {
        long limit = ran + MAX_TASKS;
        while (!tasks.isEmpty() && tasks.peek().due <= end) {
            Task task = tasks.remove();
            if (task.cancelled) {
                continue;
            }
            if (++ran > limit) {
                throw new IllegalStateException("no end of tasks at " + Duration.ofNanos(now));
            }
            now = Math.max(now, task.due);
            task.action.run();
        }
        now = Math.max(now, end);
    }
}
