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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs jobs in this process, by the handlers that the host application gave. */
final class HandlerUnitManager implements UnitManager {
    private final Map<String, JobHandler> blocking;
    private final Map<String, LifecycleHandler> lifecycle;
    private final int maxBlocking;
    private final Duration stopPatience;
    private final ConcurrentMap<String, HandlerRun> runs = new ConcurrentHashMap<>();
    private final AtomicInteger blockingRuns = new AtomicInteger();
    private final HandlerThreads threads;

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
        this(handlers, new PooledThreads());
    }

    HandlerUnitManager(Handlers handlers, HandlerThreads threads) {
        this.blocking = new LinkedHashMap<>(handlers.blocking());
        this.lifecycle = new LinkedHashMap<>(handlers.lifecycle());
        this.maxBlocking = handlers.maxBlocking();
        this.stopPatience = handlers.stopPatience();
        this.threads = threads;
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
                started.runBlocking(handler, threads.blocking(), blockingRuns::decrementAndGet);
            }
            return;
        }
        LifecycleHandler life = handlerOf(lifecycle, run.job());
        if (life == null) {
            throw new IllegalStateException("no handler for domain " + run.job().domain());
        }
        started.runLifecycle(life, threads.lifecycle());
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
        threads.later(stopPatience, () -> {
            if (!run.hasEnded()) {
                run.remind(stopPatience);
                watch(run);
            }
        });
    }

    @Override
    public void close() {
        stopAll("the worker has ended");
        threads.close(runs.isEmpty());
    }

    private static <H> @Nullable H handlerOf(Map<String, H> handlers, Job job) {
        H handler = handlers.get(job.domain());
        return handler != null ? handler : handlers.get(HeadmastWorker.ANY_DOMAIN);
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
