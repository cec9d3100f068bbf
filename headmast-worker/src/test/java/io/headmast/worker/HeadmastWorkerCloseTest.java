// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Phase;
import io.headmast.api.Worker;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.Samples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a worker ends, and how a start that fails does. */
class HeadmastWorkerCloseTest {
    private static final Duration LIMIT = LeaderByHand.LIMIT;

    private final LeaderByHand leader = new LeaderByHand();

    @TempDir
    Path directory;

    @AfterEach
    void close() {
        leader.close();
    }

    @Test
    void closeHandsBackAndGivesTheLeaseUpOnceAllHasEnded() {
        AtomicBoolean assignedWhileItStopped = new AtomicBoolean();
        HeadmastWorker worker = HeadmastWorker.builder(
                        LeaderByHand.context().dataDir(directory).build())
                .store(leader.store)
                .handler(new LifecycleHandler() {
                    @Override
                    public void start(JobContext context) {}

                    @Override
                    public void stop(JobContext context) {
                        assignedWhileItStopped.set(leader.isAssigned("j"));
                    }
                })
                .start();
        leader.place(Samples.job("j"));
        leader.await("j", Phase.RUNNING);
        long lease = leader.registration().orElseThrow().lease();

        worker.close();

        assertTrue(assignedWhileItStopped.get());
        assertEquals("worker closed", leader.await("j", Phase.PENDING).reason());
        assertEquals(Optional.empty(), leader.registration());
        assertFalse(leader.isAssigned("j"));
        assertThrows(RuntimeException.class, () -> Await.value(leader.store.timeToLive(lease), LIMIT));
        WorkerHome.open(Optional.of(directory), Optional.of("w")).close();
    }

    @Test
    void handlerThatOutlivesTheCloseLeavesTheLeaseToLapseAndKeepsTheHomeLocked() {
        CountDownLatch enough = new CountDownLatch(1);
        AtomicReference<JobContext> running = new AtomicReference<>();
        HeadmastWorker worker = start(leader.store, Duration.ofMillis(200), context -> {
            running.set(context);
            while (enough.getCount() > 0) {
                try {
                    enough.await();
                } catch (InterruptedException e) {
                    // It does as it likes.
                }
            }
        });
        leader.place(Samples.job("j"));
        leader.await("j", Phase.RUNNING);

        worker.close();

        assertTrue(leader.isAssigned("j"));
        assertTrue(Worker.unmarshalBinary(
                        leader.registration().orElseThrow().value().toByteArray())
                .closing());
        assertFalse(running.get().isOwner());
        // While it goes on, no successor may believe that it has ended.
        assertThrows(HeadmastException.Conflict.class, () -> WorkerHome.open(Optional.of(directory), Optional.of("w")));
        Await.until("the lease lapses", LIMIT, () -> leader.registration().isEmpty());
        enough.countDown();
        Await.until("the home is free", LIMIT, this::homeIsFree);
    }

    @Test
    void nothingIsStartedAgainByACloseThatCannotHandBack() {
        AtomicInteger starts = new AtomicInteger();
        AtomicBoolean refuses = new AtomicBoolean();
        FaultyStore way = new FaultyStore(leader.store, leader.loop);
        way.fates(txn -> refuses.get() ? FaultyStore.Fate.REFUSED : FaultyStore.Fate.DELIVERED);
        HeadmastWorker worker = start(way, LIMIT, context -> {
            starts.incrementAndGet();
            waitFor(context);
        });
        leader.place(Samples.job("j"));
        leader.await("j", Phase.RUNNING);
        refuses.set(true);

        worker.close();

        assertEquals(1, starts.get());
        assertTrue(homeIsFree());
        // Nothing could be said, so the lease says it.
        assertTrue(leader.registration().isPresent());
        Await.until("the lease lapses", LIMIT, () -> leader.registration().isEmpty());
    }

    @Test
    void startThatFindsNoStoreFailsInTimeAndLeavesNothingBehind() {
        FaultyStore way = new FaultyStore(leader.store, leader.loop);
        way.cut();
        assertEquals(Optional.empty(), leader.registration());
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        HeadmastException failure = assertThrows(
                HeadmastException.Unavailable.class,
                () -> start(way, LeaderByHand.limits(LIMIT, Duration.ofMillis(200)), HeadmastWorkerCloseTest::waitFor));

        assertEquals(
                "worker w could not register within 200ms; is etcd reachable at http://127.0.0.1:2379?",
                failure.detail());
        assertTrue(homeIsFree());
        awaitNoThreadBut(before);
    }

    @Test
    void startThatFindsNoEtcdLeavesNoConnectionBehind() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        WorkerContext context = LeaderByHand.context()
                .etcdEndpoints("127.0.0.1:1")
                .limits(LeaderByHand.limits(LIMIT, Duration.ofMillis(200)))
                .build();

        HeadmastException failure = assertThrows(
                HeadmastException.Unavailable.class,
                () -> HeadmastWorker.builder(context)
                        .handler((JobHandler) HeadmastWorkerCloseTest::waitFor)
                        .start());

        assertTrue(failure.detail().contains("127.0.0.1:1"), failure::detail);
        awaitNoThreadBut(before);
    }

    @Test
    void startThatFailsBeforeItBeginsLeavesTheHomeFree() {
        WorkerContext context = LeaderByHand.context()
                .dataDir(directory)
                .etcdEndpoints("no port")
                .build();
        assertThrows(
                HeadmastException.Invalid.class,
                () -> HeadmastWorker.builder(context)
                        .handler((JobHandler) HeadmastWorkerCloseTest::waitFor)
                        .start());
        assertTrue(homeIsFree());

        assertThrows(
                IllegalStateException.class,
                () -> HeadmastWorker.builder(context)
                        .store(leader.store)
                        .handlerFactory(identity -> {
                            throw new IllegalStateException("on purpose");
                        })
                        .start());
        assertTrue(homeIsFree());
    }

    private boolean homeIsFree() {
        try {
            WorkerHome.open(Optional.of(directory), Optional.of("w")).close();
            return true;
        } catch (HeadmastException.Conflict e) {
            return false;
        }
    }

    private static void awaitNoThreadBut(Set<Thread> before) {
        Await.until(
                "no thread is left",
                LIMIT,
                () -> more(before),
                () -> more(before).isEmpty());
    }

    /** One thread of the JDK is shared by all that uses its timers, and stays. */
    private static Set<String> more(Set<Thread> before) {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread) && !thread.getName().equals("CompletableFutureDelayScheduler")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private HeadmastWorker start(KeyValueStore store, Duration closeLimit, JobHandler handler) {
        return start(store, LeaderByHand.limits(closeLimit, LIMIT), handler);
    }

    private HeadmastWorker start(KeyValueStore store, WorkerContext.Limits limits, JobHandler handler) {
        WorkerContext context =
                LeaderByHand.context().dataDir(directory).limits(limits).build();
        return HeadmastWorker.builder(context).store(store).handler(handler).start();
    }

    private static void waitFor(JobContext context) throws InterruptedException {
        BlockingHandlerTest.waitFor(context);
    }
}
