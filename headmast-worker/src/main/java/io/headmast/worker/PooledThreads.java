// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A thread for every blocking handler, and a small pool for the calls of the others; threads that idle go by themselves. */
final class PooledThreads implements HandlerThreads {
    private static final int LIFECYCLE_THREADS = 8;
    private static final long IDLE_SECONDS = 30;

    private final ExecutorService blocking;
    private final ThreadPoolExecutor lifecycle;
    private final ScheduledExecutorService timer;

    PooledThreads() {
        blocking = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemon("headmast-job"));
        lifecycle = new ThreadPoolExecutor(
                LIFECYCLE_THREADS,
                LIFECYCLE_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemon("headmast-lifecycle"));
        lifecycle.allowCoreThreadTimeOut(true);
        timer = Executors.newSingleThreadScheduledExecutor(daemon("headmast-stop-timer"));
    }

    @Override
    public Executor blocking() {
        return blocking;
    }

    @Override
    public Executor lifecycle() {
        return lifecycle;
    }

    @Override
    public void later(Duration pause, Runnable task) {
        var unused = timer.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Threads that are still needed go by themselves some time after the last run has ended. */
    @Override
    public void close(boolean idle) {
        timer.shutdownNow();
        if (idle) {
            blocking.shutdown();
            lifecycle.shutdown();
        }
    }

    private static ThreadFactory daemon(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
