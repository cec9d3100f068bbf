// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.core.agent.Ending;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;

/** Handlers that hold a thread for as long as their job runs. */
class BlockingHandlerTest {
    private static final Duration LIMIT = UnitBench.LIMIT;

    @Test
    void handlerThatReturnsHasCompletedItsJob() {
        try (UnitBench bench = UnitBench.of(context -> context.exit(3))) {
            bench.start("j", 7);

            assertEquals(new Ending(Ending.Kind.COMPLETED, "completed", Optional.of(3)), bench.onlyEnding());
            assertEquals(List.of("started j@7", "ended j@7 COMPLETED"), bench.events);
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whateverAHandlerThrowsItsJobHasFailed(Throwable failure, String reason) {
        try (UnitBench bench = UnitBench.of(context -> rethrow(failure), 1, LIMIT)) {
            bench.start("j", 7);

            assertEquals(new Ending(Ending.Kind.FAILED, reason, Optional.empty()), bench.onlyEnding());
            assertEquals(Optional.empty(), bench.units.refusal(Samples.job("k")));
        }
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new IllegalStateException("no such rule"), "no such rule"),
                Arguments.of(new HeadmastException.Internal("exit code 3"), "exit code 3"),
                Arguments.of(new IOException(), "java.io.IOException"),
                Arguments.of(new InterruptedException("by itself"), "by itself"),
                Arguments.of(new AssertionError("one"), "one"),
                Arguments.of(new OutOfMemoryError("heap"), "heap"),
                Arguments.of(new StackOverflowError(), "java.lang.StackOverflowError"),
                Arguments.of(new NoClassDefFoundError("a/B"), "a/B"),
                Arguments.of(new ServiceConfigurationError("none"), "none"));
    }

    @Test
    void textOfAnyLengthAndWithHalvesOfCharactersCanBeReported() {
        String halves = "x" + "\uD83D\uDE00".repeat(2_000_000) + "\uD83D";
        try (UnitBench bench = UnitBench.of(context -> {
            context.progress(halves);
            throw new IllegalStateException(halves);
        })) {
            bench.start("j", 7);

            String reason = bench.onlyEnding().reason();
            assertTrue(reason.length() <= 1024);
            assertTrue(isWellFormed(reason));
            assertTrue(isWellFormed(bench.events.get(1)));
            assertTrue(bench.events.get(1).length() < 1100);
        }
    }

    @Test
    void stoppedHandlerIsInterruptedAndCancelled() {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (UnitBench bench = UnitBench.of(context -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                seen.set(context.isCancelled() + " " + context.isOwner() + " " + context.holdsLease() + " "
                        + context.cancelReason().orElse(""));
                throw e;
            }
        })) {
            bench.start("j", 7);
            bench.await("started j@7");

            bench.units.stop("j", 6, "another run");
            bench.units.stop("j", 7, "killed");
            bench.units.stop("j", 7, "killed again");

            assertEquals(new Ending(Ending.Kind.STOPPED, "killed", Optional.empty()), bench.onlyEnding());
            assertEquals("true false true killed", seen.get());
            bench.units.stop("j", 7, "ended already");
            assertEquals(1, bench.endings.size());
        }
    }

    @Test
    void ownerIsWhoIsNotCancelledAndHoldsTheLease() {
        AtomicReference<JobContext> running = new AtomicReference<>();
        try (UnitBench bench = UnitBench.of(context -> {
            running.set(context);
            waitFor(context);
        })) {
            bench.start("j", 7);
            bench.await("started j@7");
            Await.until("it runs", LIMIT, () -> running.get() != null);
            assertTrue(running.get().isOwner());
            bench.leaseIsSafe.set(false);
            assertFalse(running.get().isOwner());
            bench.leaseIsSafe.set(true);
            bench.units.stopAll("closed");
            assertFalse(running.get().isOwner());
        }
    }

    @Test
    void nothingStartsOnALeaseThatIsNotSafe() {
        AtomicBoolean ran = new AtomicBoolean();
        try (UnitBench bench = UnitBench.of(context -> ran.set(true))) {
            bench.leaseIsSafe.set(false);
            bench.start("j", 7);

            assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
            assertEquals(List.of("ended j@7 STOPPED"), bench.events);
            assertFalse(ran.get());
        }
    }

    @Test
    void neitherInterruptNorLogContextReachTheNextJobOnAThread() {
        AtomicReference<String> first = new AtomicReference<>();
        AtomicReference<Boolean> interrupted = new AtomicReference<>();
        try (UnitBench bench = UnitBench.of(
                context -> {
                    if (context.job().id().equals("first")) {
                        first.set(MDC.get("job") + "@" + MDC.get("epoch"));
                        waitFor(context);
                        Thread.currentThread().interrupt();
                    } else {
                        interrupted.set(Thread.currentThread().isInterrupted());
                    }
                },
                1,
                LIMIT)) {
            bench.start("first", 7);
            bench.await("started first@7");
            bench.units.stop("first", 7, "killed");
            bench.await("ended first@7 STOPPED");
            bench.start("second", 8);
            bench.await("ended second@8 COMPLETED");

            assertEquals("first@7", first.get());
            assertEquals(false, interrupted.get());
            assertNull(MDC.get("job"));
        }
    }

    @Test
    void moreJobsThanThreadsAreRefused() {
        try (UnitBench bench = UnitBench.of(BlockingHandlerTest::waitFor, 2, LIMIT)) {
            // All of them were found to have room at the same time.
            bench.start("a", 1);
            bench.start("b", 2);
            bench.start("c", 3);

            assertEquals(
                    new Ending(Ending.Kind.REFUSED, "all 2 handler threads are in use", Optional.empty()),
                    bench.onlyEnding());
            assertEquals(Optional.of("all 2 handler threads are in use"), bench.units.refusal(Samples.job("d")));
            bench.units.stop("a", 1, "killed");
            bench.await("ended a@1 STOPPED");
            assertEquals(Optional.empty(), bench.units.refusal(Samples.job("d")));
            bench.start("d", 4);
            bench.await("started d@4");
        }
    }

    @Test
    void manyJobsThatEndAtOnceMakeRoomForAsMany() {
        AtomicInteger ran = new AtomicInteger();
        try (UnitBench bench = UnitBench.of(context -> ran.incrementAndGet(), 4, LIMIT)) {
            for (int round = 1; round <= 500; round++) {
                for (int i = 0; i < 4; i++) {
                    bench.start("j" + i, round);
                }
                int ended = round * 4;
                Await.until("round " + ended, LIMIT, () -> bench.endings.size() == ended);
            }
            assertEquals(2000, ran.get());
        }
    }

    @Test
    void handlerThatDoesNotStopIsRemindedAndReportedUntilItDoes() {
        AtomicInteger interrupts = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        try (UnitBench bench = UnitBench.of(
                context -> {
                    while (!enough.get()) {
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupts.incrementAndGet();
                        }
                    }
                },
                1,
                Duration.ofMillis(20))) {
            bench.start("j", 7);
            bench.await("started j@7");
            bench.units.stop("j", 7, "killed");

            Await.until(
                    "reminders",
                    LIMIT,
                    () -> bench.events.stream()
                                    .filter("stuck j@7 its handler does not stop: killed"::equals)
                                    .count()
                            >= 3);
            enough.set(true);
            bench.await("ended j@7 STOPPED");
            assertTrue(interrupts.get() >= 3);
        }
    }

    @Test
    void runThatIsToldToEndItselfByItsContextRunsOn() {
        try (UnitBench bench = UnitBench.of(context -> {
            context.complete();
            context.fail("no");
            waitFor(context);
        })) {
            bench.start("j", 7);
            bench.await("started j@7");
            bench.units.stop("j", 7, "killed");

            assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
        }
    }

    @Test
    void everyStartEndsOnceWheneverItIsStopped() {
        try (UnitBench bench = UnitBench.of(context -> context.awaitCancellation(Duration.ofMillis(1)))) {
            for (int i = 1; i <= 1000; i++) {
                bench.start("j", i);
                if (i % 3 != 0) {
                    bench.units.stop("j", i, "killed");
                }
                int ended = i;
                Await.until("end " + i, LIMIT, () -> bench.events, () -> bench.endings.size() == ended);
            }
            assertEquals(1000, bench.endings.size());
        }
    }

    static void waitFor(JobContext context) throws InterruptedException {
        while (!context.awaitCancellation(LIMIT)) {
            // Waits on.
        }
    }

    private static boolean isWellFormed(String text) {
        return text.equals(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }

    private static void rethrow(Throwable failure) throws Exception {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
