// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.testing.Await;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Very many life-cycle jobs in one embedded worker, on whatever store a subclass brings. */
abstract class TenThousandJobsScenario {
    private static final int JOBS = 10_000;
    private static final int BATCH = 100;
    private static final int RESTARTED = 20;

    /** What a server, a worker, a client and their ways to the store need, however many jobs there are. */
    private static final int MOST_THREADS = 100;

    /** A transaction takes that long at least, as over a network. */
    private static final Duration LATENCY = Duration.ofMillis(2);

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Deque<CountingStore> ways = new ArrayDeque<>();
    private final InProcessCluster cluster = new InProcessCluster(this::way);

    /** A way of its own to the one store of a test. */
    abstract CountingStore connect(Duration latency);

    /** Called when nothing uses the store any more. */
    void closeStore() {}

    private CountingStore way() {
        ways.add(connect(LATENCY));
        return ways.getLast();
    }

    @AfterEach
    void nothingEverRanTwice() {
        cluster.close();
        assertEquals(List.of(), cluster.stage.violations());
        closeStore();
    }

    @Test
    void tenThousandJobsNeedNoThreadEachAndFewTransactions() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        threads.resetPeakThreadCount();
        int before = threads.getThreadCount();
        HeadmastClient client = cluster.client(cluster.server("s1", "roundbin"));
        HeadmastWorker worker = cluster.worker("w1");
        CountingStore way = ways.getLast();
        submitAll();
        Await.until("all run", LIMIT, () -> cluster.stage.size() == JOBS);
        Await.until("all are reported", LIMIT, () -> way.steps() >= JOBS);
        long begun = way.txns();
        assertTrue(begun < JOBS / 5, "10,000 reads and 10,000 reports took " + begun + " transactions");

        for (int i = 0; i < RESTARTED; i++) {
            client.controlJob(id(i), JobAction.RESTART);
        }
        Await.until("restarted", LIMIT, () -> startsOf(0, RESTARTED) == 2 * RESTARTED);
        assertEquals(JOBS - RESTARTED, startsOf(RESTARTED, JOBS), "no other is touched");
        Await.until(
                "reported",
                LIMIT,
                () -> InProcessCluster.running(client.getJobsWithDomain("d0")).size() == RESTARTED);
        long restarts = way.txns() - begun;
        assertTrue(restarts <= 4 * RESTARTED, RESTARTED + " restarts took " + restarts + " transactions");

        long beforeClose = way.txns();
        long began = System.nanoTime();
        worker.close();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertEquals(Map.of(), cluster.stage.running(), "all have stopped");
        assertEquals(List.of(), keysOfWorkers(), "all were handed back");
        assertTrue(took.compareTo(WorkerContext.Limits.DEFAULT.closeLimit()) < 0, "closing took " + took);
        long releases = way.txns() - beforeClose;
        assertTrue(releases < JOBS / 5, "10,000 releases took " + releases + " transactions");
        int most = threads.getPeakThreadCount() - before;
        assertTrue(most <= MOST_THREADS, "it took " + most + " threads");
    }

    private long startsOf(int from, int to) {
        long starts = 0;
        for (int i = from; i < to; i++) {
            starts += cluster.stage.starts(id(i));
        }
        return starts;
    }

    /** Writes the records directly: what REST makes of them one by one is not what this is about. */
    private void submitAll() {
        Keys keys = new Keys(cluster.prefix);
        KeyValueStore store = ways.getFirst();
        for (int from = 0; from < JOBS; from += BATCH) {
            List<Op> puts = new ArrayList<>();
            for (int i = from; i < from + BATCH; i++) {
                Job job = Job.builder()
                        .id(id(i))
                        .domain(i < RESTARTED ? "d0" : "d1")
                        .build();
                puts.add(Op.put(keys.job(job.id()), Payload.wrap(job.marshalBinary())));
            }
            var unused = Await.value(store.txn(Txn.of(puts)), LIMIT);
        }
    }

    private List<String> keysOfWorkers() {
        String prefix = new Keys(cluster.prefix).workers();
        return Await.value(ways.getFirst().range(RangeRequest.of(KeyRange.prefix(prefix))), LIMIT).items().stream()
                .map(item -> item.key())
                .toList();
    }

    private static String id(int number) {
        return "j" + number;
    }
}
