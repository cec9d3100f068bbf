// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What happens when a future has settled, where nothing else depends on that. */
final class Continuations {
    private Continuations() {}

    /** Runs {@code action} with the value or the failure; it must not throw, since nobody would hear of it. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action handles both ends.
    static <T> void onSettled(CompletableFuture<T> future, BiConsumer<T, @Nullable Throwable> action) {
        future.whenComplete(action);
    }

    /** The same on another thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // The action handles both ends.
    static <T> void onSettled(
            CompletableFuture<T> future, Executor executor, BiConsumer<T, @Nullable Throwable> action) {
        future.whenCompleteAsync(action, executor);
    }

    /** Settles {@code to} the way {@code from} has settled. */
    static <T> BiConsumer<T, @Nullable Throwable> into(CompletableFuture<T> to) {
        return (value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        };
    }

    /** The failure itself, without what a future puts around it. */
    static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
