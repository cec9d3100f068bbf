// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Running jobs that move to a worker with room: the scheduler wakes by itself, in virtual time. */
final class RebalanceSchedulingTest {
    private final TestCluster cluster = new TestCluster();

    private TestServer server(String id) {
        TestServer server = cluster.server(id, new BalancePolicy()).start();
        cluster.settle();
        return server;
    }

    private void worker(String id) {
        PoorWorker unused = cluster.worker(Samples.worker(id));
    }

    private List<Integer> spread(String... workers) {
        return List.of(workers).stream()
                .map(id -> cluster.runs().runningOn(id).size())
                .toList();
    }

    @Test
    void aThirdWorkerGetsItsShareAtTheRateAndThenTheClusterIsIdle() {
        TestServer server = server("s1");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 90);
        cluster.settle();
        assertEquals(List.of(45, 45), spread("w1", "w2"));
        worker("w3");
        cluster.advance(Duration.ofSeconds(1));
        int soon = cluster.runs().runningOn("w3").size();
        assertTrue(soon >= 15 && soon <= 22, () -> soon + " moved in a second");
        cluster.advance(Duration.ofSeconds(1));
        assertEquals(List.of(30, 30, 30), spread("w1", "w2", "w3"));
        assertEquals(120, cluster.runs().starts(), "thirty moved, each once");
        long revision = cluster.revision();
        long txns = server.store().txns();
        cluster.advance(Duration.ofMinutes(30));
        assertEquals(revision, cluster.revision());
        assertEquals(txns, server.store().txns());
    }

    @Test
    void aNewLeaderGoesOnWhereTheOldOneStopped() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 90);
        cluster.settle();
        worker("w3");
        cluster.advance(Duration.ofMillis(700));
        first.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(5));
        assertEquals(List.of(30, 30, 30), spread("w1", "w2", "w3"));
        assertEquals(120, cluster.runs().starts());
    }

    @Test
    void aChangeOfLeadersMovesNothing() {
        TestServer first = server("s1");
        server("s2");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 91);
        cluster.settle();
        first.kill9();
        cluster.advance(Duration.ofMinutes(1));
        assertEquals(91, cluster.runs().starts());
    }
}
