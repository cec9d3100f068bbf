// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A serial executor with a clock: the single owner of some mutable state. Everything that touches the state is sent
 * here, by any thread, and runs one task at a time in the order it was sent.
 *
 * <p>Components take their time from their loop alone, so the same code runs on a thread ({@link ThreadLoop}) or in
 * virtual time under a simulation.
 */
public interface EventLoop extends Executor {
    /**
     * Runs {@code task} later on this loop. Never blocks the caller.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the loop is closed or its queue is full
     */
    @Override
    void execute(Runnable task);

    /** Runs {@code task} on this loop once {@code delay} has passed on {@link #nanoTime()}. */
    Timer schedule(Duration delay, Runnable task);

    /** Monotonic time in nanoseconds from an arbitrary origin: for leases, timeouts and durations. */
    long nanoTime();

    /** Wall-clock time: for people, never for leases or timeouts. */
    Instant wallTime();

    /**
     * Continues on this loop when {@code stage} completes, with the cause itself and not a {@link CompletionException}
     * around it. After the loop is closed neither is called.
     */
    default <T> void when(CompletionStage<T> stage, Consumer<? super T> completed, Consumer<Throwable> failed) {
        var unused = stage.whenComplete((value, failure) -> execute(() -> {
            if (failure == null) {
                completed.accept(value);
            } else {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
                failed.accept(cause == null ? failure : cause);
            }
        }));
    }

    /** A task that waits for its time. */
    interface Timer {
        /** The task won't run, unless it runs already. */
        void cancel();
    }
}
