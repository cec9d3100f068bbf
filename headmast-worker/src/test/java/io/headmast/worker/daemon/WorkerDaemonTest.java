// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import io.headmast.core.testing.Await;
import io.headmast.worker.WorkerContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The worker's program where there is no etcd. */
class WorkerDaemonTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void programThatIsToldToEndWhileItStartsDoes() {
        WorkerDaemon daemon = new WorkerDaemon(context(Duration.ofHours(1)));
        CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                daemon.run();
                end.complete(Optional.empty());
            } catch (RuntimeException | InterruptedException e) {
                end.complete(Optional.of(e));
            }
        });
        thread.start();
        Await.until("it waits for etcd", LIMIT, () -> thread.getState() == Thread.State.TIMED_WAITING);

        daemon.close();

        assertEquals(Optional.empty(), Await.value(end, LIMIT));
    }

    @Test
    void programThatCannotStartSaysWhy() {
        WorkerDaemon daemon = new WorkerDaemon(context(Duration.ofMillis(100)));

        assertThrows(HeadmastException.Unavailable.class, daemon::run);

        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void programThatWasClosedBeforeDoesNotStart() throws InterruptedException {
        WorkerDaemon daemon = new WorkerDaemon(context(Duration.ofHours(1)));
        daemon.close();

        daemon.run();
    }

    private static WorkerContext context(Duration startLimit) {
        return WorkerContext.builder()
                .etcdEndpoints("127.0.0.1:1")
                .limits(new WorkerContext.Limits(1, LIMIT, LIMIT, startLimit))
                .build();
    }
}
