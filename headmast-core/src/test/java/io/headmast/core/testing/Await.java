// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waiting for what another thread or process does. A test waits for a condition, with a bound that only a failing test
 * reaches; it never sleeps for a time that ought to be enough.
 */
public final class Await {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Await() {}

    /**
     * Waits until the condition holds.
     *
     * @param what what is waited for, for the message
     * @throws AssertionError if it does not hold within {@code limit}
     */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        until(what, limit, () -> "", condition);
    }

    /**
     * Waits until the condition holds.
     *
     * @param state the state of things, asked for if the condition does not hold in time
     * @throws AssertionError if it does not hold within {@code limit}
     */
    public static void until(String what, Duration limit, Supplier<?> state, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new AssertionError("not within " + limit + ": " + what + " " + state.get());
            }
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted while waiting for: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /**
     * The value of a future, or its failure.
     *
     * @throws AssertionError if it is not done within {@code limit}, or failed with a checked exception
     */
    public static <T> T value(CompletableFuture<T> future, Duration limit) {
        try {
            return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                // A thrown exception tells of its thread only; the caller's place matters too.
                failure.addSuppressed(new AssertionError("awaited here"));
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
