// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Owns an engine on an event loop: operations are tasks there, leases lapse by its clock, and answers are given once the
 * journal has what they tell of.
 */
final class EngineLoop {
    private final EventLoop loop;
    private final long origin;
    private final Journal journal;
    private final MvccEngine engine;

    // Owned by the loop.
    private EventLoop.@Nullable Timer expiry;
    private long expiryAt;

    private volatile boolean closed;

    /**
     * An engine on a loop.
     *
     * @param watchers see {@link MvccEngine}
     * @param keepsDeletions see {@link Revisions}
     */
    EngineLoop(EventLoop loop, Executor watchers, Journal journal, boolean keepsDeletions) {
        this.loop = loop;
        this.origin = loop.nanoTime();
        this.journal = journal;
        this.engine = new MvccEngine(watchers, journal, keepsDeletions);
    }

    /** The engine; to be touched on the loop only, in the operations given to {@link #call}. */
    MvccEngine engine() {
        return engine;
    }

    /** The loop's time, as the engine counts it. */
    long now() {
        return loop.nanoTime() - origin;
    }

    boolean isClosed() {
        return closed;
    }

    static HeadmastException closedFailure() {
        return new HeadmastException.Unavailable("the store is closed");
    }

    /** The outcome of an operation, once it is safe. */
    <T> CompletableFuture<T> call(Supplier<T> operation) {
        return submit(operation, true);
    }

    /** The outcome of an operation that changes nothing the journal remembers: a disk that hangs doesn't delay it. */
    <T> CompletableFuture<T> callAtOnce(Supplier<T> operation) {
        return submit(operation, false);
    }

    /** As {@link #call} for an operation without a result. */
    CompletableFuture<Void> run(Runnable operation) {
        var done = new CompletableFuture<Void>();
        var unused = call(() -> {
                    operation.run();
                    return true;
                })
                .whenComplete((result, failure) -> {
                    if (failure == null) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
        return done;
    }

    /** Runs a task that nobody waits for; when the loop is closed nothing of this store runs any more. */
    void post(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    /** Runs a task once what was done so far is safe. */
    void whenSafe(Runnable task) {
        journal.whenSafe(task);
    }

    /** Ends the leases that are due: for tasks that didn't come by {@link #call}. */
    void expire() {
        engine.expire(now());
    }

    /** Refuses whatever comes from now on; watches end without a word. */
    void close() {
        closed = true;
        post(() -> {
            engine.closeWatches();
            if (expiry != null) {
                expiry.cancel();
                expiry = null;
            }
        });
    }

    private <T> CompletableFuture<T> submit(Supplier<T> operation, boolean safely) {
        var future = new CompletableFuture<T>();
        try {
            loop.execute(() -> perform(future, operation, safely));
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(
                    new HeadmastException.Unavailable("the store's event loop takes no more work"));
        }
        return future;
    }

    private <T> void perform(CompletableFuture<T> future, Supplier<T> operation, boolean safely) {
        if (closed) {
            future.completeExceptionally(closedFailure());
            return;
        }
        // Whoever comes first at or after a deadline, its timer or an operation, finds the lease lapsed.
        expire();
        Runnable answer;
        try {
            T result = operation.get();
            answer = () -> future.complete(result);
        } catch (RuntimeException e) {
            answer = () -> future.completeExceptionally(e);
        }
        if (safely) {
            journal.whenSafe(answer);
        } else {
            answer.run();
        }
        armExpiry();
    }

    /** Keeps one timer, at or before the next deadline; renewals make it early and it is set again then. */
    void armExpiry() {
        OptionalLong next = engine.nextExpiry();
        if (next.isEmpty() || (expiry != null && expiryAt <= next.getAsLong())) {
            return;
        }
        if (expiry != null) {
            expiry.cancel();
        }
        expiryAt = next.getAsLong();
        expiry = loop.schedule(Duration.ofNanos(Math.max(0, expiryAt - now())), this::onExpiry);
    }

    private void onExpiry() {
        expiry = null;
        if (!closed) {
            expire();
            armExpiry();
        }
    }
}
