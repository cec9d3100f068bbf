// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** What is wrong with the pretended store: nothing, late answers, or a failure. Thread-safe. */
final class StoreFault {
    private final AtomicReference<Supplier<CompletableFuture<Void>>> before =
            new AtomicReference<>(() -> CompletableFuture.completedFuture(null));
    private final AtomicInteger begun = new AtomicInteger();

    /** From now on nothing is answered before {@code gate} completes. */
    void hangUntil(CompletableFuture<Void> gate) {
        before.set(() -> gate);
    }

    /** How many operations were begun. */
    int begun() {
        return begun.get();
    }

    /** From now on everything fails so. */
    void fail(RuntimeException failure) {
        before.set(() -> CompletableFuture.failedFuture(failure));
    }

    /** Carries out an operation on the calling thread; its expected failures become the future's. */
    <T> CompletableFuture<T> answer(Supplier<T> operation) {
        begun.incrementAndGet();
        return before.get().get().thenCompose(nothing -> {
            try {
                return CompletableFuture.completedFuture(operation.get());
            } catch (HeadmastException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }
}
