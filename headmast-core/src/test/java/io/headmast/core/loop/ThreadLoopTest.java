// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a loop on a thread makes of tasks that fail. */
class ThreadLoopTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Logger logger = (Logger) LoggerFactory.getLogger(ThreadLoop.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    @Test
    void taskThatThrowsIsLoggedAndTheNextRuns() {
        CompletableFuture<String> next = new CompletableFuture<>();
        try (ThreadLoop loop = new ThreadLoop("test")) {
            loop.execute(() -> {
                throw new IllegalStateException("a bug");
            });
            loop.execute(() -> next.complete("ran"));

            assertEquals("ran", Await.value(next, LIMIT));
        }
        assertEquals(1, errors());
    }

    @Test
    void lastTaskOfAClosedLoopMayAskForAnother() {
        CountDownLatch goOn = new CountDownLatch(1);
        ThreadLoop loop = new ThreadLoop("test");
        loop.execute(() -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            loop.execute(() -> {});
        });
        CompletableFuture<Void> closed = CompletableFuture.runAsync(loop::close);
        Await.until("it takes no more", LIMIT, () -> isClosed(loop));
        goOn.countDown();

        Await.value(closed, LIMIT);

        assertEquals(0, errors());
    }

    private static boolean isClosed(ThreadLoop loop) {
        try {
            loop.execute(() -> {});
            return false;
        } catch (RejectedExecutionException e) {
            return true;
        }
    }

    private long errors() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .count();
    }
}
