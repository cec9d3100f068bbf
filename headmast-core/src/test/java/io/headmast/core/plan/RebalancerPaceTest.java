// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How fast the rebalancer moves, how much at once, and what a look for moves costs. */
final class RebalancerPaceTest {
    private final MovingCluster cluster = new MovingCluster();
    private final ModelStore keys = cluster.keys;

    @Test
    void atRateZeroNothingMoves() {
        var cluster = new MovingCluster(new BalancePolicy(), 0);
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cluster.workers("w2");
        assertEquals(0, cluster.settle());
    }

    @Test
    void theRateIsKeptWhateverTheClockDoes() {
        var cluster = new MovingCluster(new BalancePolicy(), 20);
        cluster.workers("w1");
        cluster.jobs(300);
        cluster.settle();
        cluster.workers("w2");
        Instant began = cluster.now;
        int moved = 0;
        while (cluster.now.isBefore(began.plusSeconds(5))) {
            moved += cluster.round().size();
            cluster.work();
        }
        assertTrue(moved >= 95 && moved <= 102, () -> "in five seconds: " + cluster.moves.size());
        cluster.now = began.minusSeconds(3600);
        moved = 0;
        for (int i = 0; i < 100; i++) {
            moved += cluster.round().size();
            cluster.work();
        }
        assertTrue(moved >= 18 && moved <= 22, () -> "in the second after: " + cluster.moves.size());
    }

    @Test
    void thePlanSaysWhenTheNextMoveIsDue() {
        var cluster = new MovingCluster(new BalancePolicy(), 10);
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cluster.workers("w2");
        Plan first = cluster.planner.plan(cluster.now, MovingCluster.NO_LIMIT);
        assertEquals(1, first.steps().size());
        assertEquals(Optional.of(cluster.now.plusMillis(100)), first.retryAt());
        assertEquals(
                List.of(), cluster.planner.plan(cluster.now.plusMillis(99), 100).steps());
        assertEquals(
                1,
                cluster.planner.plan(cluster.now.plusMillis(100), 100).steps().size());
    }

    @Test
    void onlySoManyAreOnTheMoveAtOnce() {
        cluster.workers("w1");
        cluster.jobs(1000);
        cluster.settle();
        cluster.workers("w2");
        for (int i = 0; i < 100; i++) {
            cluster.round();
        }
        assertEquals(Rebalancer.MAX_ON_THE_MOVE, cluster.moves.size(), "nobody has stopped anything yet");
        assertTrue(cluster.settle() > 300);
    }

    @Test
    void aPlanThatIsFullOfPlacementsMovesNothing() {
        cluster.workers("w1");
        cluster.jobs(10);
        cluster.settle();
        cluster.workers("w2");
        cluster.jobs(3);
        Plan plan = cluster.planner.plan(cluster.now, 3);
        assertTrue(plan.steps().stream().allMatch(Step.Place.class::isInstance), plan::toString);
    }

    @Test
    void aWorkerThatHandsBackIsNotTriedOverAndOver() {
        cluster.workers("w1");
        cluster.jobs(20);
        cluster.settle();
        cluster.workers("broken");
        Instant began = cluster.now;
        while (cluster.now.isBefore(began.plusSeconds(60))) {
            cluster.round();
            handBackEverythingOn("broken");
            cluster.work();
        }
        assertTrue(cluster.moves.size() >= 2, "after a pause it gets another chance");
        assertTrue(cluster.moves.size() <= 30, () -> cluster.moves.size() + " moves in a minute");
        Set<String> places = new HashSet<>();
        keys.assignments.keySet().forEach(key -> places.add(key.workerId()));
        assertEquals(Set.of("w1"), places);
        keys.die("broken");
        cluster.workers("broken");
        assertEquals(10, cluster.settle(), "registered anew it is trusted");
    }

    private void handBackEverythingOn(String worker) {
        for (ModelStore.OnWorker key : List.copyOf(keys.assignments.keySet())) {
            if (key.workerId().equals(worker)) {
                RunState.HandBack handBack = new RunState.HandBack(
                        worker,
                        keys.workers.get(worker).createRevision(),
                        1,
                        cluster.now.plus(Duration.ofSeconds(2)),
                        "no");
                keys.release(
                        worker,
                        key.jobId(),
                        cluster.placed(key)
                                .to(Phase.PENDING, cluster.now, "handed back")
                                .withHandBacks(List.of(handBack)));
            }
        }
    }

    /** What a join costs, counted in steps in the orders of workers and jobs and not in time. */
    @Test
    void aJoinCostsWhatItMovesHoweverManyWorkersThereAre() {
        long small = costOfAJoin(100);
        long large = costOfAJoin(10_000);
        assertTrue(large <= small + 20, () -> "100 workers: " + small + ", 10,000 workers: " + large);
    }

    private static long costOfAJoin(int workers) {
        var cluster = new MovingCluster();
        for (int i = 0; i < workers; i++) {
            cluster.keys.worker(Samples.worker("w" + i, Set.of(), OptionalLong.empty()));
        }
        cluster.jobs(workers * 10);
        while (cluster.state.pendingCount() > 0) {
            cluster.round();
        }
        cluster.work();
        assertEquals(0, cluster.settle());
        long before = cluster.state.movables.examined();
        cluster.workers("x");
        assertEquals(9, cluster.settle());
        return cluster.state.movables.examined() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void aFlappingWorkerMovesNoMoreThanTheRateAllows(int rate) {
        var cluster = new MovingCluster(new BalancePolicy(), rate);
        cluster.workers("w1", "w2");
        cluster.jobs(100);
        cluster.settle();
        Instant began = cluster.now;
        for (int i = 0; i < 100; i++) {
            cluster.workers("x");
            for (int round = 0; round < 20; round++) {
                cluster.round();
                cluster.work();
            }
            cluster.keys.die("x");
            cluster.round();
            cluster.work();
        }
        long seconds = Duration.between(began, cluster.now).toSeconds() + 1;
        assertTrue(
                cluster.moves.size() <= seconds * rate + 2, () -> cluster.moves.size() + " moves in " + seconds + " s");
        cluster.settle();
        assertEquals(Map.of("w1", 50L, "w2", 50L), cluster.loads());
    }
}
