// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** One leader, and trouble that each has a remedy of its own. */
final class SchedulerTroubleTest {
    private final TestCluster cluster = new TestCluster();

    private PoorWorker worker(String id) {
        PoorWorker worker = cluster.worker(Samples.worker(id));
        cluster.settle();
        return worker;
    }

    private TestServer server(String id) {
        TestServer server = cluster.server(id).start();
        cluster.settle();
        return server;
    }

    @Test
    void leaseThatIsGoneDropsItsWorkerOnly() {
        TestServer server = server("s1");
        List<PoorWorker> workers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            workers.add(worker("w" + i));
        }
        PoorWorker dying = workers.get(2);
        dying.kill9();
        var revoked = new boolean[1];
        server.store().fates(txn -> {
            // The leader plans on a worker whose lease ends just before its transaction comes.
            if (!revoked[0]) {
                revoked[0] = true;
                var unused = cluster.store().revokeLease(dying.leaseId());
            }
            return FaultyStore.Fate.DELIVERED;
        });
        cluster.submitMany("j", 100);
        cluster.settle();
        assertEquals(100, cluster.runs().running().size());
        assertEquals(List.of(), cluster.runs().runningOn("w2"));
        assertTrue(server.scheduler().counters().transactions() < 20, () -> "transactions");
    }

    @Test
    void mirrorThatLostAChangeIsListedAgainWhenStepsKeepFailing() {
        TestServer server = server("s1");
        cluster.submit(Samples.job("ghost"));
        cluster.settle();
        String ghost = cluster.keys().job("ghost");
        server.store().loseEvents(event -> event.key().equals(ghost) && event instanceof WatchEvent.Delete);
        cluster.commit(Op.delete(ghost));
        long before = server.store().txns();
        worker("w1");
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("a"), cluster.runs().running());
        assertTrue(server.store().txns() - before < 30, () -> server.store().txns() - before + " transactions");
        assertTrue(server.store().ranges() > 1);
    }

    @Test
    void stepsTooLargeForOneTransactionGoInSeveral() {
        server("s1");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 240);
        cluster.settle();
        String longText = "x".repeat(50_000);
        cluster.commit(Op.put(
                cluster.keys().cordon("w1"),
                Json.toPayload(Samples.drain(longText).toJson())));
        cluster.advance(Duration.ofSeconds(5));
        assertEquals(240, cluster.runs().runningOn("w2").size());
    }

    @Test
    void jobIsNotForgottenWhenAnAnswerTellsARevisionOfSomebodyElses() {
        TestServer leader = server("s1");
        worker("w1");
        AtomicBoolean overtaken = new AtomicBoolean();
        leader.store().fates(txn -> {
            if (overtaken.compareAndSet(false, true)) {
                Job changed = Samples.job("j0").toBuilder()
                        .labels(Map.of("changed", "meanwhile"))
                        .build();
                var record = cluster.store()
                        .txn(Txn.of(List.of(Op.put(cluster.keys().job("j0"), Json.toPayload(changed.toJson())))));
                var foreign = cluster.store().txn(Txn.of(List.of(Op.put("/another/application", Payload.of("x")))));
                assertFalse(record.isCompletedExceptionally() || foreign.isCompletedExceptionally());
            }
            return FaultyStore.Fate.DELIVERED;
        });
        cluster.submit(Samples.job("j0"));
        cluster.advance(Duration.ofSeconds(4));
        assertEquals(List.of("j0"), cluster.runs().running());
        assertEquals(1, leader.scheduler().counters().notApplied(), "the first try was overtaken");
    }

    @Test
    void nothingIsPlannedAfterAnUnknownOutcomeBeforeTheFenceIsRewritten() {
        TestServer server = server("s1");
        worker("w1");
        String leader = cluster.keys().leader();
        List<String> sent = new ArrayList<>();
        server.store().fates(txn -> {
            boolean fence = txn.success().stream()
                    .anyMatch(op -> op instanceof Op.Put put && put.key().equals(leader));
            sent.add(fence ? "fence" : "steps");
            return sent.size() == 1 ? FaultyStore.Fate.REQUEST_LOST : FaultyStore.Fate.DELIVERED;
        });
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofSeconds(5));
        assertEquals(List.of("steps", "fence", "steps"), sent);
        assertEquals(List.of("a"), cluster.runs().running());
    }
}
