// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which running jobs move when the load is uneven, and which don't. */
final class RebalancerTest {
    private final MovingCluster cluster = new MovingCluster();
    private final ModelStore keys = cluster.keys;

    private void cordon(String worker) {
        keys.cordon(worker, Optional.of(Samples.cordon()));
    }

    private void uncordon(String worker) {
        keys.cordon(worker, Optional.empty());
    }

    private KillOrder orderFor(String job) {
        return keys.killers.entrySet().stream()
                .filter(entry -> entry.getKey().jobId().equals(job))
                .findFirst()
                .orElseThrow()
                .getValue()
                .value()
                .orElseThrow();
    }

    @Test
    void aWorkerThatJoinsGetsItsShareAndNoMore() {
        cluster.workers("w1", "w2");
        cluster.jobs(90);
        assertEquals(0, cluster.settle());
        cluster.workers("w3");
        assertEquals(30, cluster.settle());
        assertEquals(Map.of("w1", 30L, "w2", 30L, "w3", 30L), cluster.loads());
        assertEquals(30, Set.copyOf(cluster.moves).size(), "no job twice");
        assertEquals(0, cluster.settle());
    }

    @Test
    void aMoveIsAStopThatSaysWhyAndAPlacementThatSaysItToo() {
        cluster.workers("w1");
        cluster.jobs(2);
        cluster.settle();
        cluster.workers("w2");
        assertEquals(List.of("j0<w1"), cluster.round());
        KillOrder order = orderFor("j0");
        assertEquals(Phase.PENDING, order.then());
        assertEquals("rebalance: worker w2 has room", order.reason());
        cluster.work();
        cluster.round();
        assertEquals(
                "placed by balance; before: rebalance: worker w2 has room",
                keys.states.get("j0").value().orElseThrow().reason());
    }

    @Test
    void underRoundbinNothingMoves() {
        var cluster = new MovingCluster(new RoundbinPolicy(), Scheduling.MAX_REBALANCE_RATE);
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cluster.workers("w2");
        assertEquals(0, cluster.settle());
    }

    @Test
    void oneJobMoreThanElsewhereIsEven() {
        cluster.workers("w1", "w2", "w3");
        cluster.jobs(3);
        cluster.settle();
        cluster.workers("w4");
        assertEquals(0, cluster.settle());
    }

    @Test
    void aTwentiethMoreThanElsewhereIsEven() {
        cluster.workers("w1", "w2");
        cordon("w2");
        cluster.jobs(100);
        cluster.settle();
        cordon("w1");
        uncordon("w2");
        cluster.jobs(95);
        cluster.settle();
        uncordon("w1");
        assertEquals(0, cluster.settle());
        keys.job(keys.jobs.get("j194").value().orElseThrow().toBuilder()
                .status(JobStatus.KILLED)
                .build());
        assertEquals(1, cluster.settle());
    }

    @Test
    void jobsOnTheMoveCountAsIfTheyHadArrived() {
        cluster.workers("w1");
        cluster.jobs(20);
        cluster.settle();
        cluster.workers("w2");
        for (int i = 0; i < 50; i++) {
            cluster.round();
        }
        assertEquals(10, cluster.moves.size(), "though none has left yet");
        cluster.changeLeader();
        for (int i = 0; i < 50; i++) {
            cluster.round();
        }
        assertEquals(10, cluster.moves.size(), "a new leader goes on where the old one stopped");
        assertEquals(0, cluster.settle());
        assertEquals(Map.of("w1", 10L, "w2", 10L), cluster.loads());
    }

    @Test
    void aMoveThatWasNotCommittedIsPlannedAgain() {
        cluster.workers("w1");
        cluster.jobs(2);
        cluster.settle();
        cluster.workers("w2");
        Plan lost = cluster.planner.plan(cluster.now, 100);
        assertEquals(List.of("j0"), lost.steps().stream().map(Step::jobId).toList());
        cluster.state.dropped(lost.steps().get(0));
        assertEquals(1, cluster.settle());
    }

    @Test
    void cordonedDrainingClosingAndForeignWorkersGetNothing() {
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cluster.workers("w2", "w3");
        cordon("w2");
        keys.cordon("w3", Optional.of(Samples.drain("")));
        keys.worker(Samples.worker("w4").withClosing(true));
        keys.worker(Samples.serving("w5", "other"));
        assertEquals(0, cluster.settle());
        uncordon("w2");
        assertEquals(5, cluster.settle(), "uncordoned, it is filled again");
    }

    @Test
    void whatACordonedWorkerHasStays() {
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cordon("w1");
        cluster.workers("w2");
        assertEquals(0, cluster.settle());
    }

    @Test
    void aFullWorkerGivesAndTheOtherComesNoHigherThanItWas() {
        keys.worker(Samples.worker("w1", 10));
        cluster.jobs(10);
        cluster.settle();
        keys.worker(Samples.worker("w2", 2));
        cluster.settle();
        assertEquals(Map.of("w1", 9L, "w2", 1L), cluster.loads(), "2 of 2 would be more than 9 of 10 was");
    }

    @Test
    void loadIsRelativeToCapacity() {
        keys.worker(Samples.worker("w1", 100));
        cluster.jobs(60);
        cluster.settle();
        keys.worker(Samples.worker("w2", 20));
        assertEquals(10, cluster.settle());
        assertEquals(Map.of("w1", 50L, "w2", 10L), cluster.loads());
    }

    @Test
    void theHeaviestThatDoesNotTurnTheScalesMovesFirst() {
        cluster.workers("w1");
        cluster.job("heavy", "default", 9);
        cluster.job("middle", "default", 5);
        for (int i = 0; i < 4; i++) {
            cluster.job("light" + i, "default", 1);
        }
        cluster.settle();
        cluster.workers("w2");
        cluster.settle();
        assertEquals(List.of("heavy<w1"), cluster.moves);
    }

    @Test
    void aSingleHeavyJobDoesNotGoToAndFro() {
        cluster.workers("w1");
        cluster.job("heavy", "default", 9);
        cluster.settle();
        cluster.workers("w2");
        assertEquals(0, cluster.settle());
    }

    @Test
    void jobsStayWithinTheirDomains() {
        keys.worker(Samples.serving("a1", "a"));
        keys.worker(Samples.serving("b1", "b"));
        for (int i = 0; i < 9; i++) {
            cluster.job("a" + i, "a", 1);
        }
        cluster.job("b0", "b", 1);
        assertEquals(0, cluster.settle());
        keys.worker(Samples.serving("ab", "a", "b"));
        assertEquals(4, cluster.settle());
        assertEquals(Map.of("a1", 5L, "ab", 4L, "b1", 1L), cluster.loads());
        assertTrue(cluster.moves.stream().allMatch(move -> move.endsWith("<a1")));
    }

    @Test
    void nothingMovesWhileJobsWaitThatCouldBePlaced() {
        cluster.workers("w1");
        cluster.jobs(4);
        cluster.settle();
        cluster.jobs(4);
        cluster.workers("w2");
        assertEquals(0, cluster.settle(), "the waiting ones fill the new worker");
        assertEquals(Map.of("w1", 4L, "w2", 4L), cluster.loads());
    }

    @Test
    void whatHasNotBegunYetIsNotMoved() {
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.round();
        cluster.workers("w2");
        for (int i = 0; i < 10; i++) {
            assertEquals(List.of(), cluster.round(), "w1 has not seen its jobs yet");
        }
        assertEquals(5, cluster.settle());
    }

    @Test
    void whatIsStoppedOrRestartedIsNotMovedAndCountsAsItWillBe() {
        cluster.workers("w1");
        cluster.jobs(4);
        cluster.settle();
        for (String id : List.of("j0", "j1")) {
            Job job = keys.jobs.get(id).value().orElseThrow();
            keys.job(job.toBuilder().status(JobStatus.KILLED).build());
        }
        keys.job(Job.builder().id("j2").generation(2).build());
        cluster.round();
        cluster.workers("w2");
        assertEquals(List.of("j3<w1"), cluster.round());
    }

    @Test
    void anEvenClusterIsLeftAlone() {
        cluster.workers("w1", "w2", "w3");
        cluster.jobs(50);
        cluster.settle();
        long revision = keys.revision();
        for (int i = 0; i < 1000; i++) {
            Plan plan = cluster.planner.plan(cluster.now.plusSeconds(i), MovingCluster.NO_LIMIT);
            assertEquals(new Plan(List.of(), List.of(), Optional.empty()), plan);
        }
        assertEquals(revision, keys.revision());
    }
}
