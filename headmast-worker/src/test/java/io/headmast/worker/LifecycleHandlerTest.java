// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.agent.Ending;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/** Handlers that start and stop something that runs by itself. */
class LifecycleHandlerTest {
    private static final Duration LIMIT = UnitBench.LIMIT;

    /** Does what a test says, and keeps the calls. */
    private static class Recording implements LifecycleHandler {
        final List<String> calls = new CopyOnWriteArrayList<>();
        final Map<String, JobContext> contexts = new ConcurrentHashMap<>();
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        @Override
        public void start(JobContext context) throws Exception {
            calls.add("start " + MDC.get("job"));
            threads.add(Thread.currentThread());
            contexts.put(context.job().id(), context);
        }

        @Override
        public void stop(JobContext context) throws Exception {
            calls.add("stop " + MDC.get("job"));
        }
    }

    @Test
    void jobRunsBetweenStartAndStop() {
        Recording handler = new Recording();
        try (UnitBench bench = UnitBench.of(handler)) {
            bench.start("j", 7);
            bench.await("started j@7");
            assertEquals(List.of("start j"), handler.calls);

            bench.units.stop("j", 7, "killed");

            assertEquals(new Ending(Ending.Kind.STOPPED, "killed", Optional.empty()), bench.onlyEnding());
            assertEquals(List.of("start j", "stop j"), handler.calls);
        }
    }

    @Test
    void jobThatEndsByItselfIsNotStopped() {
        Recording handler = new Recording();
        try (UnitBench bench = UnitBench.of(handler)) {
            bench.start("good", 7);
            bench.start("bad", 8);
            bench.await("started good@7");
            bench.await("started bad@8");

            handler.contexts.get("good").exit(0);
            handler.contexts.get("good").complete();
            handler.contexts.get("good").fail("too late");
            handler.contexts.get("bad").fail("broken");
            bench.units.stop("good", 7, "killed");

            assertEquals(
                    List.of(
                            new Ending(Ending.Kind.COMPLETED, "completed", Optional.of(0)),
                            new Ending(Ending.Kind.FAILED, "broken", Optional.empty())),
                    bench.endings);
            assertTrue(handler.calls.stream().noneMatch(call -> call.startsWith("stop")));
        }
    }

    @Test
    void jobThatEndsWhileItStartsHasEndedOnceItHasStarted() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (UnitBench bench = UnitBench.of(new Recording() {
            @Override
            public void start(JobContext context) throws Exception {
                context.fail("no port");
                context.complete();
                ended.countDown();
                goOn.await();
            }
        })) {
            bench.start("j", 7);
            assertTrue(ended.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
            assertEquals(List.of(), bench.events);

            goOn.countDown();

            assertEquals("no port", bench.onlyEnding().reason());
            assertEquals(List.of("ended j@7 FAILED"), bench.events);
        }
    }

    @Test
    void jobThatIsStoppedWhileItStartsIsStoppedAfterwards() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Recording handler = new Recording() {
            @Override
            public void start(JobContext context) throws Exception {
                begun.countDown();
                goOn.await();
                super.start(context);
            }
        };
        try (UnitBench bench = UnitBench.of(handler)) {
            bench.start("j", 7);
            assertTrue(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
            bench.units.stop("j", 7, "killed");
            assertEquals(List.of(), handler.calls);

            goOn.countDown();

            assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
            assertEquals(List.of("start j", "stop j"), handler.calls);
        }
    }

    @Test
    void jobThatIsStoppedBeforeItsTurnIsNeverStarted() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        Recording handler = new Recording() {
            @Override
            public void start(JobContext context) throws Exception {
                goOn.await();
                super.start(context);
            }
        };
        try (UnitBench bench = UnitBench.of(handler)) {
            for (int i = 0; i < 50; i++) {
                bench.start("busy" + i, 1);
            }
            bench.start("j", 7);
            bench.units.stop("j", 7, "killed");
            goOn.countDown();

            bench.await("ended j@7 STOPPED");
            assertTrue(handler.calls.stream().noneMatch(call -> call.endsWith(" j")));
        }
    }

    @Test
    void runThatIsStoppedBeforeAnythingWasQueuedEndsToo() {
        // As a fence on the heartbeat's thread does between the two steps of a start on the agent's.
        try (UnitBench bench = UnitBench.of(new Recording())) {
            JobContext.Run run = new JobContext.Run(Samples.job("j"), "w", 7, 1);
            HandlerRun started = new HandlerRun(run, () -> true, bench);
            started.stop("fenced");
            started.runLifecycle(new Recording(), Runnable::run);

            assertEquals(List.of("ended j@7 STOPPED"), bench.events);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class, NoClassDefFoundError.class})
    void whateverStartThrowsTheJobHasFailedAndIsNotStopped(Class<? extends Throwable> type) {
        Recording handler = new Recording() {
            @Override
            public void start(JobContext context) throws Exception {
                throwNew(type);
            }
        };
        try (UnitBench bench = UnitBench.of(handler)) {
            bench.start("j", 7);

            assertEquals(Ending.Kind.FAILED, bench.onlyEnding().kind());
            assertEquals(List.of("ended j@7 FAILED"), bench.events);
            bench.units.stop("j", 7, "killed");
            assertEquals(List.of(), handler.calls);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class, NoClassDefFoundError.class})
    void whateverStopThrowsTheJobCountsAsStopped(Class<? extends Throwable> type) {
        try (UnitBench bench = UnitBench.of(new Recording() {
            @Override
            public void stop(JobContext context) throws Exception {
                throwNew(type);
            }
        })) {
            bench.start("j", 7);
            bench.await("started j@7");
            bench.units.stop("j", 7, "killed");

            assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
        }
    }

    @Test
    void nothingStartsOnALeaseThatIsNotSafe() {
        Recording handler = new Recording();
        try (UnitBench bench = UnitBench.of(handler)) {
            bench.leaseIsSafe.set(false);
            bench.start("j", 7);

            assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
            assertEquals(List.of(), handler.calls);
        }
    }

    @Test
    void tenThousandJobsNeedNoThreadEach() throws InterruptedException {
        int jobs = 10_000;
        Recording handler = new Recording();
        try (UnitBench bench = UnitBench.of(handler)) {
            for (int i = 0; i < jobs; i++) {
                bench.start("j" + i, 1);
            }
            Await.until("all run", LIMIT, () -> handler.contexts.size() == jobs);
            assertTrue(handler.threads.size() <= 8, handler.threads::toString);

            bench.units.stopAll("closed");

            assertTrue(bench.units.awaitIdle(LIMIT));
            Await.until("all are told of", LIMIT, () -> bench.endings.size() == jobs);
        }
    }

    @Test
    void startThatOutlivesItsManagerIsStoppedAllTheSame() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Recording handler = new Recording() {
            @Override
            public void start(JobContext context) throws Exception {
                begun.countDown();
                goOn.await();
                super.start(context);
            }
        };
        UnitBench bench = UnitBench.of(handler);
        bench.start("j", 7);
        assertTrue(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS));
        bench.close();
        goOn.countDown();

        assertEquals(Ending.Kind.STOPPED, bench.onlyEnding().kind());
        assertEquals(List.of("start j", "stop j"), handler.calls);
    }

    private static void throwNew(Class<? extends Throwable> type) throws Exception {
        Throwable failure = type.getConstructor(String.class).newInstance("on purpose");
        if (failure instanceof Error error) {
            throw error;
        }
        throw (Exception) failure;
    }
}
