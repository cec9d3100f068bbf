// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.core.store.Op;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The life of jobs under one leader that nothing disturbs. */
final class JobSchedulerTest {
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

    private Phase phase(String jobId) {
        return cluster.state(jobId).orElseThrow().phase();
    }

    @Test
    void jobsRunSpreadOverTheWorkers() {
        server("s1");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 10);
        cluster.settle();
        assertEquals(10, cluster.runs().running().size());
        assertEquals(5, cluster.runs().runningOn("w1").size());
        assertEquals(5, cluster.runs().runningOn("w2").size());
    }

    @Test
    void jobsThatWereThereBeforeServersAndWorkersRun() {
        cluster.submitMany("j", 10);
        server("s1");
        worker("w1");
        assertEquals(10, cluster.runs().runningOn("w1").size());
    }

    @Test
    void killedJobStopsAndRunsAgainWhenAlive() {
        server("s1");
        worker("w1");
        cluster.submitMany("j", 2);
        cluster.settle();
        cluster.kill("j0");
        cluster.settle();
        assertEquals(List.of("j1"), cluster.runs().running());
        assertEquals(Phase.KILLED, phase("j0"));
        assertEquals(List.of("w1", "w1/jobs/j1"), cluster.names(cluster.keys().workers()));
        cluster.change("j0", job -> job.status(JobStatus.CREATED));
        cluster.settle();
        assertEquals(List.of("j0", "j1"), cluster.runs().running());
        assertEquals(1, cluster.runs().starts("j1"));
    }

    @Test
    void deletedJobsLeaveNoKeyBehind() {
        server("s1");
        worker("w1");
        cluster.submitMany("j", 300);
        cluster.settle();
        for (int i = 0; i < 300; i++) {
            cluster.delete("j" + i);
        }
        cluster.settle();
        assertEquals(List.of(), cluster.runs().running());
        assertEquals(List.of(), cluster.names(cluster.keys().jobs()));
        assertEquals(List.of(), cluster.names("/headmast/states/"));
        assertEquals(List.of("w1"), cluster.names(cluster.keys().workers()));
    }

    @Test
    void deadWorkersJobsArePlacedElsewhereAndNoOtherJobIsTouched() {
        server("s1");
        PoorWorker first = worker("w1");
        worker("w2");
        cluster.submitMany("j", 20);
        cluster.settle();
        List<String> onSecond = cluster.runs().runningOn("w2");
        first.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        assertEquals(20, cluster.runs().runningOn("w2").size());
        onSecond.forEach(jobId -> assertEquals(1, cluster.runs().starts(jobId), jobId));
    }

    @Test
    void drainedWorkerIsEmptiedAndCordonedOneKeepsItsJobs() {
        server("s1");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 10);
        cluster.settle();
        cluster.commit(Op.put(
                cluster.keys().cordon("w1"), Json.toPayload(Samples.cordon().toJson())));
        cluster.submitMany("k", 10);
        cluster.settle();
        assertEquals(5, cluster.runs().runningOn("w1").size());
        assertEquals(15, cluster.runs().runningOn("w2").size());
        cluster.commit(Op.put(
                cluster.keys().cordon("w1"), Json.toPayload(Samples.drain("").toJson())));
        cluster.settle();
        assertEquals(20, cluster.runs().runningOn("w2").size());
    }

    @Test
    void restartedJobRunsAgainOnItsWorkerAsANewGeneration() {
        server("s1");
        worker("w1");
        worker("w2");
        cluster.submitMany("j", 3);
        cluster.settle();
        String before = cluster.state("j1").orElseThrow().worker().orElseThrow();
        long epoch = cluster.state("j1").orElseThrow().epoch();
        cluster.change("j1", job -> job.generation(2));
        cluster.settle();
        assertEquals(2, cluster.runs().starts("j1"));
        assertEquals(2, cluster.state("j1").orElseThrow().generation());
        assertEquals(Optional.of(before), cluster.state("j1").orElseThrow().worker());
        assertTrue(cluster.state("j1").orElseThrow().epoch() > epoch);
    }

    @Test
    void endedJobStaysEnded() {
        server("s1");
        PoorWorker worker = worker("w1");
        cluster.submitMany("j", 1);
        cluster.settle();
        worker.finish("j0", Phase.COMPLETED);
        cluster.advance(Duration.ofMinutes(10));
        assertEquals(List.of(), cluster.runs().running());
        assertEquals(Phase.COMPLETED, phase("j0"));
        assertEquals(1, cluster.runs().starts("j0"));
    }

    @Test
    void handedBackJobIsTriedAgainAfterItsPauseThoughNothingElseHappens() {
        server("s1");
        PoorWorker worker = worker("w1");
        cluster.submitMany("j", 1);
        cluster.settle();
        worker.handBack("j0", Duration.ofSeconds(30));
        cluster.advance(Duration.ofSeconds(29));
        assertEquals(List.of(), cluster.runs().running());
        cluster.advance(Duration.ofSeconds(2));
        assertEquals(List.of("j0"), cluster.runs().running());
    }

    @Test
    void finishedJobIsRemovedWhenItsTimeIsOverThoughNothingElseHappens() {
        server("s1");
        PoorWorker worker = worker("w1");
        cluster.submit(Job.builder().id("j").retainFor(Duration.ofHours(2)).build());
        cluster.submitMany("k", 1);
        cluster.settle();
        worker.finish("j", Phase.COMPLETED);
        worker.finish("k0", Phase.COMPLETED);
        cluster.advance(Duration.ofHours(2).minusSeconds(2));
        assertEquals(List.of("j", "k0"), cluster.names(cluster.keys().jobs()));
        cluster.advance(Duration.ofSeconds(3));
        assertEquals(List.of("k0"), cluster.names(cluster.keys().jobs()));
        assertEquals(List.of("k0"), cluster.names("/headmast/states/"));
    }

    @Test
    void jobThatIsToRunOnceMoreIsNotRemovedOnTheWay() {
        TestServer server = server("s1");
        PoorWorker worker = worker("w1");
        cluster.submit(Job.builder().id("j").retainFor(Duration.ofMinutes(1)).build());
        cluster.settle();
        worker.finish("j", Phase.FAILED);
        cluster.settle();
        cluster.advance(Duration.ofSeconds(58));
        // The leader doesn't hear of the order before it removes what it still takes for finished.
        server.store().holdWatches();
        long sent = server.store().txns();
        cluster.change("j", job -> job.generation(2));
        cluster.advance(Duration.ofSeconds(2));
        assertTrue(server.store().txns() > sent, "it tried");
        server.store().heal();
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(List.of("j"), cluster.runs().running());
        assertEquals(2, cluster.state("j").orElseThrow().generation());
    }

    @Test
    void changedTargetStateReachesTheAssignment() {
        server("s1");
        worker("w1");
        cluster.submit(Job.builder().id("j").targetState(TargetState.LOADED).build());
        cluster.settle();
        String assignment = cluster.keys().assignment("w1", "j");
        long created = cluster.read(assignment).orElseThrow().createRevision();
        cluster.change("j", job -> job.targetState(TargetState.LAUNCHED));
        cluster.settle();
        assertEquals(created, cluster.read(assignment).orElseThrow().createRevision());
        assertTrue(cluster.read(assignment).orElseThrow().value().toText().contains("launched"));
        assertNotEquals(0, cluster.read(assignment).orElseThrow().lease());
    }

    @Test
    void everythingOnAWorkerIsBoundToItsLease() {
        server("s1");
        PoorWorker worker = worker("w1");
        cluster.submitMany("j", 5);
        cluster.settle();
        cluster.change("j1", job -> job.targetState(TargetState.LOADED));
        worker.kill9();
        cluster.kill("j0");
        cluster.settle();
        assertTrue(cluster.names(cluster.keys().workers()).contains("w1/killers/j0"));
        cluster.get(cluster.store().revokeLease(worker.leaseId()));
        assertEquals(List.of(), cluster.names(cluster.keys().workers()));
    }

    @Test
    void idleClusterWritesNothing() {
        TestServer server = server("s1");
        worker("w1");
        cluster.submitMany("j", 50);
        cluster.settle();
        long revision = cluster.revision();
        long txns = server.store().txns();
        cluster.advance(Duration.ofMinutes(30));
        assertEquals(revision, cluster.revision());
        assertEquals(txns, server.store().txns());
        assertTrue(
                server.store().ranges() < 20,
                "only the resyncs read: " + server.store().ranges());
    }
}
