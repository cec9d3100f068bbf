// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop on one daemon thread. A task that throws is logged as the bug it is, and the loop goes on: every
 * decision is derived from state again at the next wake-up.
 *
 * <p>The queue holds at most {@value #MAX_QUEUED} tasks; components coalesce their wake-ups and bound what they have in
 * flight, so reaching it means a bug, and the sender is told by {@link RejectedExecutionException}.
 */
public final class ThreadLoop implements EventLoop, AutoCloseable {
    static final int MAX_QUEUED = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ThreadLoop.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ScheduledThreadPoolExecutor executor;

    /** Starts the thread at the first task. */
    public ThreadLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        if (executor.getQueue().size() >= MAX_QUEUED) {
            throw new RejectedExecutionException("more than " + MAX_QUEUED + " tasks wait");
        }
        executor.execute(() -> run(task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        var future = executor.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant wallTime() {
        return Instant.now();
    }

    /** Lets the tasks that were sent already finish, for up to 5 s, and drops the timers; later tasks are rejected. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("event loop does not end; interrupting it limit={}", CLOSE_LIMIT);
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            if (e instanceof RejectedExecutionException && executor.isShutdown()) {
                // What would have followed the task is not to happen any more.
                LOG.debug("a closed loop takes no more", e);
            } else {
                LOG.error("task failed; the loop goes on", e);
            }
        }
    }
}
