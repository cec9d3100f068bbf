// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.core.agent.Ending;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One run of a handler, from its start to the one {@code ended} that it owes. Thread-safe. */
final class HandlerRun {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerRun.class);

    private final JobContext.Run run;
    private final UnitManager.Events events;
    private final BooleanSupplier leaseIsSafe;
    private final JobContext context;
    private @Nullable Thread thread;
    private @Nullable LifecycleHandler lifecycle;
    private @Nullable Executor lifecycleThreads;
    private CompletableFuture<Void> calls = CompletableFuture.completedFuture(null);
    private boolean starting;
    private @Nullable Ending endedWhileStarting;
    private boolean stopping;
    private boolean ended;

    HandlerRun(JobContext.Run run, BooleanSupplier leaseIsSafe, UnitManager.Events events) {
        this.run = run;
        this.events = events;
        this.leaseIsSafe = leaseIsSafe;
        this.context = new JobContext(
                run,
                leaseIsSafe,
                new JobContext.Signals(text -> events.progressed(id(), epoch(), text), this::endedByItself));
    }

    long epoch() {
        return run.epoch();
    }

    private String id() {
        return run.job().id();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Runs a blocking handler on a thread of {@code threads}; {@code after} is called when that thread is free again. */
    void runBlocking(JobHandler handler, Executor threads, Runnable after) {
        try {
            threads.execute(() -> withContext(() -> {
                Ending ending = block(handler);
                after.run();
                end(ending);
            }));
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The latter is how a JVM says that it gets no further thread.
            LOG.warn("no thread for a job job={} epoch={} cause={}", id(), epoch(), e.toString());
            after.run();
            refuse("no thread is free for it");
        }
    }

    /** It is not begun at all, for want of room. */
    void refuse(String reason) {
        end(new Ending(Ending.Kind.REFUSED, reason, Optional.empty()));
    }

    private Ending block(JobHandler handler) {
        synchronized (this) {
            if (stopping || !leaseIsSafe.getAsBoolean()) {
                return stopped();
            }
            thread = Thread.currentThread();
        }
        try {
            events.started(id(), epoch());
            handler.run(context);
            return context.isCancelled()
                    ? stopped()
                    : new Ending(Ending.Kind.COMPLETED, "completed", context.exitCode());
        } catch (Throwable e) {
            // Errors too: whatever ended the handler, its job runs no more, and must not count as running.
            return context.isCancelled() ? stopped() : failed(e);
        } finally {
            synchronized (this) {
                thread = null;
            }
            // The thread is used again: an interrupt that came late must not hit the next job.
            Thread.interrupted();
        }
    }

    /** Starts a life-cycle handler on one of {@code threads}. */
    synchronized void runLifecycle(LifecycleHandler handler, Executor threads) {
        lifecycle = handler;
        lifecycleThreads = threads;
        calls = calls.thenRunAsync(() -> withContext(() -> begin(handler)), threads);
    }

    private void begin(LifecycleHandler handler) {
        if (context.isCancelled() || !leaseIsSafe.getAsBoolean()) {
            end(stopped());
            return;
        }
        synchronized (this) {
            starting = true;
        }
        try {
            handler.start(context);
        } catch (Throwable e) {
            end(context.isCancelled() ? stopped() : failed(e));
            return;
        }
        Ending itself;
        synchronized (this) {
            starting = false;
            itself = endedWhileStarting;
        }
        if (itself != null) {
            end(itself);
        } else if (!hasEnded()) {
            events.started(id(), epoch());
        }
    }

    private void halt(LifecycleHandler handler) {
        if (hasEnded()) {
            return;
        }
        try {
            handler.stop(context);
        } catch (Throwable e) {
            LOG.error("handler failed to stop; the job counts as stopped job={} epoch={}", id(), epoch(), e);
        }
        end(stopped());
    }

    /** Tells the handler to end; whether that is news. */
    synchronized boolean stop(String reason) {
        if (stopping || ended) {
            return false;
        }
        stopping = true;
        context.cancel(reason);
        if (thread != null) {
            thread.interrupt();
        }
        LifecycleHandler handler = lifecycle;
        if (handler != null && lifecycleThreads != null) {
            calls = calls.thenRunAsync(() -> withContext(() -> halt(handler)), lifecycleThreads);
        }
        return true;
    }

    /** Interrupts the handler again, and says that it goes on. */
    void remind(Duration patience) {
        synchronized (this) {
            if (thread != null) {
                thread.interrupt();
            }
        }
        LOG.warn("handler does not stop job={} epoch={} asked_every={}", id(), epoch(), patience);
        events.stuck(
                id(),
                epoch(),
                "its handler does not stop: " + context.cancelReason().orElse(""));
    }

    /** A blocking handler ends by returning, and one that starts goes on at least until it has started. */
    private void endedByItself(Ending ending) {
        Ending itself = new Ending(ending.kind(), JobContext.legible(ending.reason()), ending.exit());
        synchronized (this) {
            if (lifecycle == null || stopping) {
                return;
            }
            if (starting) {
                endedWhileStarting = endedWhileStarting == null ? itself : endedWhileStarting;
                return;
            }
        }
        end(itself);
    }

    private void end(Ending ending) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        events.ended(id(), epoch(), ending);
    }

    private Ending stopped() {
        return new Ending(Ending.Kind.STOPPED, context.cancelReason().orElse("stopped"), context.exitCode());
    }

    private Ending failed(Throwable e) {
        LOG.warn("job failed job={} epoch={} attempt={}", id(), epoch(), run.attempt(), e);
        String message = e.getMessage();
        String reason = message == null || message.isBlank() ? e.getClass().getName() : message;
        return new Ending(Ending.Kind.FAILED, JobContext.legible(reason), context.exitCode());
    }

    private void withContext(Runnable call) {
        MDC.put("job", id());
        MDC.put("epoch", Long.toString(epoch()));
        try {
            call.run();
        } finally {
            MDC.remove("job");
            MDC.remove("epoch");
        }
    }
}
