// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.core.agent.Ending;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs jobs in this process, by the handlers that the host application gave. */
final class HandlerUnitManager implements UnitManager {
    private static final int LIFECYCLE_THREADS = 8;
    private static final long IDLE_SECONDS = 30;

    private final Map<String, JobHandler> blocking;
    private final Map<String, LifecycleHandler> lifecycle;
    private final int maxBlocking;
    private final Duration stopPatience;
    private final ConcurrentMap<String, HandlerRun> runs = new ConcurrentHashMap<>();
    private final AtomicInteger blockingRuns = new AtomicInteger();
    private final ExecutorService blockingThreads;
    private final ThreadPoolExecutor lifecycleThreads;
    private final ScheduledExecutorService timer;

    /**
     * The handlers by domain; the empty domain stands for any other.
     *
     * @param maxBlocking how many blocking handlers may run at once
     * @param stopPatience after how long a handler that doesn't stop is reported
     */
    record Handlers(
            Map<String, JobHandler> blocking,
            Map<String, LifecycleHandler> lifecycle,
            int maxBlocking,
            Duration stopPatience) {}

    HandlerUnitManager(Handlers handlers) {
        blocking = new LinkedHashMap<>(handlers.blocking());
        lifecycle = new LinkedHashMap<>(handlers.lifecycle());
        maxBlocking = handlers.maxBlocking();
        stopPatience = handlers.stopPatience();
        blockingThreads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), daemon("headmast-job"));
        lifecycleThreads = new ThreadPoolExecutor(
                LIFECYCLE_THREADS,
                LIFECYCLE_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                daemon("headmast-lifecycle"));
        lifecycleThreads.allowCoreThreadTimeOut(true);
        timer = Executors.newSingleThreadScheduledExecutor(daemon("headmast-stop-timer"));
    }

    @Override
    public Optional<String> refusal(Job job) {
        if (handlerOf(blocking, job) != null) {
            return blockingRuns.get() < maxBlocking ? Optional.empty() : Optional.of(noRoom());
        }
        return handlerOf(lifecycle, job) != null
                ? Optional.empty()
                : Optional.of("no handler for domain " + job.domain());
    }

    @Override
    public void start(JobContext.Run run, BooleanSupplier leaseIsSafe, Events events) {
        HandlerRun started = new HandlerRun(run, leaseIsSafe, new Forgetting(events));
        runs.put(run.job().id(), started);
        JobHandler handler = handlerOf(blocking, run.job());
        if (handler != null) {
            if (blockingRuns.incrementAndGet() > maxBlocking) {
                // Others that were found to have room at the same time have taken it.
                blockingRuns.decrementAndGet();
                started.refuse(noRoom());
            } else {
                started.runBlocking(handler, blockingThreads, blockingRuns::decrementAndGet);
            }
            return;
        }
        LifecycleHandler life = handlerOf(lifecycle, run.job());
        if (life == null) {
            throw new IllegalStateException("no handler for domain " + run.job().domain());
        }
        started.runLifecycle(life, lifecycleThreads);
    }

    private String noRoom() {
        return "all " + maxBlocking + " handler threads are in use";
    }

    @Override
    public void stop(String jobId, long epoch, String reason) {
        HandlerRun run = runs.get(jobId);
        if (run != null && run.epoch() == epoch) {
            stop(run, reason);
        }
    }

    @Override
    public void stopAll(String reason) {
        runs.values().forEach(run -> stop(run, reason));
    }

    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        synchronized (runs) {
            while (!runs.isEmpty()) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(runs, left);
            }
            return true;
        }
    }

    private void stop(HandlerRun run, String reason) {
        if (run.stop(reason)) {
            watch(run);
        }
    }

    /** A handler may have swallowed its interrupt: it gets another one from time to time, and users get to know. */
    private void watch(HandlerRun run) {
        var unused = timer.schedule(
                () -> {
                    if (!run.hasEnded()) {
                        run.remind(stopPatience);
                        watch(run);
                    }
                },
                stopPatience.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        stopAll("the worker has ended");
        timer.shutdownNow();
        if (runs.isEmpty()) {
            blockingThreads.shutdown();
            lifecycleThreads.shutdown();
        }
        // Else the threads are needed until the last run has ended, and go by themselves some time after.
    }

    private static <H> @Nullable H handlerOf(Map<String, H> handlers, Job job) {
        H handler = handlers.get(job.domain());
        return handler != null ? handler : handlers.get(HeadmastWorker.ANY_DOMAIN);
    }

    private static ThreadFactory daemon(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Passes events on, and forgets a run that has ended before anybody hears of it. */
    private final class Forgetting implements Events {
        private final Events events;

        Forgetting(Events events) {
            this.events = events;
        }

        @Override
        public void started(String jobId, long epoch) {
            events.started(jobId, epoch);
        }

        @Override
        public void progressed(String jobId, long epoch, String text) {
            events.progressed(jobId, epoch, text);
        }

        @Override
        public void stuck(String jobId, long epoch, String reason) {
            events.stuck(jobId, epoch, reason);
        }

        @Override
        public void ended(String jobId, long epoch, Ending ending) {
            runs.computeIfPresent(jobId, (id, run) -> run.epoch() == epoch ? null : run);
            synchronized (runs) {
                runs.notifyAll();
            }
            events.ended(jobId, epoch, ending);
        }
    }
}
