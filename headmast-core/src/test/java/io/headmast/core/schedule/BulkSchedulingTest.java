// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.store.Op;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What large numbers of jobs cost, counted in transactions and decisions and not in time. */
final class BulkSchedulingTest {
    private static final int BULK = 10_000;
    private static final int WORKERS = 10;

    private final TestCluster cluster = new TestCluster();
    private final CountingPolicy policy = new CountingPolicy();
    private final TestServer server = cluster.server("s1", policy);

    private void workers() {
        for (int i = 0; i < WORKERS; i++) {
            var unused = cluster.worker(Samples.worker("w" + i));
        }
        cluster.settle();
    }

    /** What the leader does in all until nothing is left to do. */
    private Cost costOf(Runnable change) {
        long storeTxns = server.store().txns();
        long transactions = server.scheduler().counters().transactions();
        long steps = server.scheduler().counters().steps();
        long choices = policy.choices;
        change.run();
        cluster.settle();
        cluster.settle();
        assertEquals(List.of(), unplaced());
        return new Cost(
                server.store().txns() - storeTxns,
                server.scheduler().counters().transactions() - transactions,
                server.scheduler().counters().steps() - steps,
                policy.choices - choices);
    }

    private record Cost(long storeTxns, long transactions, long steps, long choices) {}

    private List<String> unplaced() {
        List<String> jobs = new ArrayList<>(cluster.names(cluster.keys().jobs()));
        jobs.removeAll(new HashSet<>(cluster.runs().running()));
        return jobs;
    }

    @Test
    void tenThousandPendingJobsCostAHundredTransactions() {
        cluster.submitMany("j", BULK);
        server.start();
        cluster.settle();
        Cost cost = costOf(this::workers);
        assertEquals(BULK, cost.steps());
        assertEquals(BULK, cost.choices());
        assertEquals(cost.storeTxns(), cost.transactions());
        assertTrue(cost.transactions() <= 100, cost::toString);
        for (int i = 0; i < WORKERS; i++) {
            assertEquals(BULK / WORKERS, cluster.runs().runningOn("w" + i).size());
        }
    }

    @Test
    void costOfABulkDoesNotDependOnWhatRunsAlready() {
        server.start();
        workers();
        Cost first = costOf(() -> cluster.submitMany("a", BULK));
        assertTrue(first.transactions() <= 400, first::toString);
        costOf(() -> cluster.submitMany("b", 4 * BULK));
        Cost later = costOf(() -> cluster.submitMany("c", BULK));
        assertEquals(first, later);
        assertEquals(6 * BULK, cluster.runs().starts());
    }

    @Test
    void thousandJobsDeletedAtOnceGoInFewTransactions() {
        server.start();
        workers();
        costOf(() -> cluster.submitMany("j", 1000));
        Cost cost = costOf(() -> {
            for (int i = 0; i < 1000; i++) {
                cluster.delete("j" + i);
            }
        });
        assertEquals(List.of(), cluster.names(cluster.keys().jobs()));
        assertEquals(List.of(), cluster.names("/headmast/states/"));
        assertEquals(2000, cost.steps());
        assertTrue(cost.transactions() <= 200, cost::toString);
    }

    @Test
    void flappingWorkerMovesOnlyWhatRanOnIt() {
        server.start();
        workers();
        costOf(() -> cluster.submitMany("j", 100));
        for (int i = 0; i < 100; i++) {
            var flapping = cluster.worker(Samples.worker("x"));
            cluster.settle();
            cluster.submit(Samples.job("k" + i));
            cluster.settle();
            flapping.kill9();
            cluster.get(cluster.store().revokeLease(flapping.leaseId()));
            cluster.settle();
        }
        assertEquals(200, cluster.runs().running().size());
        assertTrue(cluster.runs().starts() <= 300, () -> cluster.runs().starts() + " starts");
        assertEquals(WORKERS, server.mirror().state().liveWorkerCount());
    }

    @Test
    void oneIdCreatedAndDeletedAThousandTimesLeavesNothing() {
        server.start();
        workers();
        for (int i = 0; i < 1000; i++) {
            cluster.submit(Samples.job("j"));
            cluster.advance(Duration.ofMillis(10));
            cluster.delete("j");
            cluster.advance(Duration.ofMillis(10));
        }
        assertEquals(1000, cluster.runs().starts("j"));
        assertEquals(List.of(), cluster.names("/headmast/states/"));
        assertEquals(0, server.mirror().state().recordCount());
    }

    @Test
    void backlogThatNobodyCanTakeCostsNothingWhileItWaits() {
        server.start();
        var unused = cluster.worker(Samples.serving("w", "other"));
        cluster.settle();
        cluster.submitMany("j", BULK);
        cluster.settle();
        long choices = policy.choices;
        for (int i = 0; i < 20; i++) {
            cluster.commit(Op.put("/headmast/cordons/elsewhere" + i, Payload.of("{}")));
            cluster.settle();
        }
        assertTrue(policy.choices - choices <= 20, () -> policy.choices - choices + " choices");
        assertEquals(0, server.scheduler().counters().transactions());
        assertEquals(BULK, server.mirror().state().pendingCount());
    }
}
