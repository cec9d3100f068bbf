// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Who leads, and that nobody else commits. */
final class LeadershipTest {
    private final TestCluster cluster = new TestCluster();

    private TestServer server(String id) {
        TestServer server = cluster.server(id).start();
        cluster.settle();
        return server;
    }

    private void worker(String id) {
        var unused = cluster.worker(Samples.worker(id));
        cluster.settle();
    }

    private void submitAndSettle(String... jobIds) {
        for (String jobId : jobIds) {
            cluster.submit(Samples.job(jobId));
        }
        cluster.settle();
    }

    /** Whether a transaction of a scheduler carries steps, rather than being about leadership. */
    private static boolean hasSteps(Txn txn) {
        return txn.compares().size() == 1
                && txn.compares().get(0) instanceof Compare.ModRevision
                && txn.success().stream().allMatch(Op.Nested.class::isInstance);
    }

    /** The next transactions meet these fates, the others are delivered. */
    private static void nextFates(FaultyStore store, Fate... fates) {
        Queue<Fate> next = new ArrayDeque<>(List.of(fates));
        store.fates(txn -> next.isEmpty() ? Fate.DELIVERED : next.remove());
    }

    private static long committed(TestServer server) {
        CommitCounters counters = server.scheduler().counters();
        return counters.placed() + counters.stopped() + counters.removed();
    }

    @Test
    void oneOfTwoServersLeadsAndOnlyThatCommits() {
        TestServer first = server("s1");
        TestServer second = server("s2");
        worker("w1");
        submitAndSettle("a", "b");
        assertEquals(Optional.of("s1"), cluster.leader());
        assertEquals(2, committed(first));
        assertEquals(0, second.scheduler().counters().transactions());
        assertEquals(List.of("s1", "s2"), cluster.names("/headmast/servers/"));
        assertEquals(List.of(first.self(), second.self()), second.mirror().servers());
        assertEquals("s1", second.mirror().leader().orElseThrow().server().id());
    }

    @Test
    void standbyLeadsOnceTheLeaseOfACrashedLeaderHasLapsed() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        first.kill9();
        cluster.submit(Samples.job("a"));
        cluster.advance(TestCluster.TTL.multipliedBy(2).dividedBy(3).minusSeconds(2));
        assertEquals(Optional.of("s1"), cluster.leader());
        cluster.advance(TestCluster.TTL.dividedBy(3).plusSeconds(3));
        assertEquals(Optional.of("s2"), cluster.leader());
        assertEquals(List.of("a"), cluster.runs().running());
        assertEquals(List.of("s2"), cluster.names("/headmast/servers/"));
    }

    @Test
    void closedLeaderHandsOverAtOnce() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        var closed = first.scheduler().close();
        cluster.submit(Samples.job("a"));
        cluster.settle();
        assertTrue(closed.isDone());
        assertEquals(Optional.of("s2"), cluster.leader());
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void changeOfLeaderTouchesNoJob() {
        TestServer first = server("s1");
        TestServer second = server("s2");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 50);
        cluster.settle();
        first.kill9();
        cluster.advance(TestCluster.TTL.multipliedBy(2));
        assertEquals(Optional.of("s2"), cluster.leader());
        assertEquals(50, cluster.runs().starts());
        assertEquals(0, committed(second));
    }

    @Test
    void leaderThatStoodStillPastItsLeaseCommitsNothing() {
        TestServer first = server("s1");
        TestServer second = server("s2");
        worker("w1");
        submitAndSettle("a");
        first.loop().pause();
        cluster.advance(TestCluster.TTL.multipliedBy(3));
        submitAndSettle("b", "c");
        assertEquals(2, committed(second));
        first.loop().resume();
        submitAndSettle("d");
        cluster.advance(TestCluster.TTL);
        assertEquals(List.of("a", "b", "c", "d"), cluster.runs().running());
        assertEquals(4, cluster.runs().starts());
        assertEquals(1, committed(first));
        assertEquals(3, committed(second));
    }

    @Test
    void transactionOfADeposedLeaderThatArrivesLateDoesNothing() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        worker("w2");
        first.store().fates(txn -> hasSteps(txn) ? Fate.APPLIED_LATE : Fate.DELIVERED);
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofMillis(100));
        // While its transaction is on its way, the leader loses its lease and sees nothing of it.
        first.loop().pause();
        long lease = cluster.read(cluster.keys().leader()).orElseThrow().lease();
        cluster.get(cluster.store().revokeLease(lease));
        cluster.settle();
        assertEquals(List.of("a"), cluster.runs().running());
        long revision = cluster.revision();
        cluster.advance(Duration.ofSeconds(5));
        assertEquals(revision, cluster.revision());
        assertEquals(1, cluster.runs().starts("a"));
    }

    @Test
    void deposedLeaderWithAFrozenMirrorCommitsNothing() {
        TestServer first = server("s1");
        TestServer second = server("s2");
        worker("w1");
        cluster.submit(Samples.job("held"));
        first.store().holdWatches();
        cluster.advance(Duration.ofMillis(1));
        long before = committed(first);
        long lease = cluster.read(cluster.keys().leader()).orElseThrow().lease();
        cluster.get(cluster.store().revokeLease(lease));
        cluster.advance(Duration.ofMillis(100));
        cluster.kill("held");
        cluster.advance(Duration.ofSeconds(2));
        assertEquals(Optional.of("s2"), cluster.leader());
        assertEquals(before, committed(first));
        first.store().heal();
        cluster.advance(Duration.ofSeconds(20));
        assertEquals(before, committed(first));
        assertEquals(List.of(), cluster.runs().running());
        assertTrue(committed(second) > 0);
    }

    @Test
    void leaderWhoseFenceWasRewrittenWithoutAnAnswerSchedulesOn() {
        TestServer server = server("s1");
        worker("w1");
        // The placement is lost, and then the answer to the rewriting of the leader key; after that nothing happens.
        nextFates(server.store(), Fate.REQUEST_LOST, Fate.ANSWER_LOST);
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void serverOnAStoreThatOthersUseTooLearnsThatItLeads() {
        TestServer server = server("s1");
        worker("w1");
        nextFates(server.store(), Fate.REQUEST_LOST, Fate.ANSWER_LOST);
        cluster.submit(Samples.job("a"));
        // What others write raises the revision of every answer, and no event tells it.
        for (int i = 0; i < 40; i++) {
            cluster.commit(Op.put("/others/key", Payload.empty()));
            cluster.advance(Duration.ofMillis(100));
        }
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void placementInDoubtIsNotMadeTwice() {
        TestServer server = server("s1");
        worker("w1");
        worker("w2");
        nextFates(server.store(), Fate.ANSWER_LOST);
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("a"), cluster.runs().running());
        assertEquals(1, cluster.runs().starts("a"));
        nextFates(server.store(), Fate.APPLIED_LATE);
        cluster.submit(Samples.job("b"));
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("a", "b"), cluster.runs().running());
        assertEquals(1, cluster.runs().starts("b"));
    }

    @Test
    void serverWhoseCampaignWasAppliedWithoutAnAnswerLeads() {
        TestServer server = cluster.server("s1");
        nextFates(server.store(), Fate.ANSWER_LOST);
        server.start();
        worker("w1");
        cluster.submit(Samples.job("a"));
        cluster.advance(Duration.ofSeconds(5));
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void serverThatGotANewLeaseWhileItCampaignedLeads() {
        TestServer server = cluster.server("s1");
        server.store().fates(txn -> Fate.REQUEST_LOST);
        server.start();
        cluster.advance(Duration.ofMillis(900));
        // The first campaign fails only after the session it was for is gone.
        server.loop().jumpWallClock(Duration.ofHours(1));
        server.store().fates(txn -> Fate.DELIVERED);
        cluster.advance(Duration.ofSeconds(30));
        assertEquals(Optional.of("s1"), cluster.leader());
    }

    @Test
    void leaderKeyDeletedByHandIsTakenAgain() {
        TestServer server = server("s1");
        worker("w1");
        cluster.commit(Op.delete(cluster.keys().leader()));
        submitAndSettle("a");
        assertEquals(Optional.of("s1"), cluster.leader());
        assertEquals(List.of("a"), cluster.runs().running());
        assertTrue(server.store().txns() < 20, () -> server.store().txns() + " transactions");
    }

    @Test
    void leaderKeyThatNoLeaseHoldsIsTakenOver() {
        TestServer first = server("s1");
        TestServer second = server("s2");
        worker("w1");
        for (Payload value : List.of(
                Payload.of("garbage"), Json.toPayload(Samples.server("ghost").toJson()))) {
            long before = first.store().txns() + second.store().txns();
            cluster.commit(Op.put(cluster.keys().leader(), value));
            cluster.advance(Duration.ofSeconds(5));
            assertNotEquals(
                    0, cluster.read(cluster.keys().leader()).orElseThrow().lease());
            assertTrue(first.store().txns() + second.store().txns() - before < 20);
        }
        submitAndSettle("a");
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void shortTroubleWithTheStoreKeepsTheLeader() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        submitAndSettle("a");
        for (int i = 0; i < 40; i++) {
            cluster.advance(Duration.ofMillis(1370));
            first.store().cut();
            cluster.advance(TestCluster.TTL.dividedBy(3));
            first.store().heal();
            cluster.advance(Duration.ofSeconds(3));
            assertEquals(Optional.of("s1"), cluster.leader(), "after trouble number " + i);
        }
        submitAndSettle("b");
        assertEquals(List.of("a", "b"), cluster.runs().running());
    }
}
