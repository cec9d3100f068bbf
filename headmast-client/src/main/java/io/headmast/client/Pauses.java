// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Waiting, without holding a thread. */
interface Pauses {
    /** Completes after that time. */
    CompletableFuture<Void> pause(Duration duration);

    /** From 0 to 1, for jitter. */
    double random();

    /** By the machine's clock and chance. */
    static Pauses real() {
        return new Pauses() {
            @Override
            public CompletableFuture<Void> pause(Duration duration) {
                Executor later = CompletableFuture.delayedExecutor(duration.toNanos(), TimeUnit.NANOSECONDS);
                return CompletableFuture.runAsync(() -> {}, later);
            }

            @Override
            public double random() {
                return ThreadLocalRandom.current().nextDouble();
            }
        };
    }
}
