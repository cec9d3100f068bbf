// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Worker;
import io.headmast.core.policy.Candidate;
import io.headmast.core.testing.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds wherever rebalancing begins: random clusters, each from a seed. */
final class RebalancerPropertyTest {
    private static final List<String> DOMAINS = List.of("a", "b", "c");

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /** Loads of which some are far from even: all workers alike, and all jobs. */
    private static MovingCluster uniform(Random random) {
        var cluster = new MovingCluster();
        int workers = 1 + random.nextInt(6);
        for (int i = 0; i < workers; i++) {
            String id = "w" + i;
            cluster.workers(id);
            cluster.jobs(random.nextInt(39));
            cluster.settle();
            cluster.keys.cordon(id, Optional.of(Samples.cordon()));
        }
        return cluster;
    }

    /** The moves that the most loaded have to make at least, so that all have the same or one more. */
    private static long fewestMoves(Map<String, Long> loads) {
        List<Long> sorted = new ArrayList<>(loads.values());
        sorted.sort(Collections.reverseOrder());
        long total = sorted.stream().mapToLong(Long::longValue).sum();
        long moves = 0;
        for (int i = 0; i < sorted.size(); i++) {
            long share = total / sorted.size() + (i < total % sorted.size() ? 1 : 0);
            moves += Math.max(0, sorted.get(i) - share);
        }
        return moves;
    }

    private static void assertEven(Map<String, Long> loads) {
        assertTrue(Collections.max(loads.values()) - Collections.min(loads.values()) <= 1, loads::toString);
    }

    private static void uncordonAll(MovingCluster cluster) {
        List.copyOf(cluster.keys.cordons.keySet()).forEach(id -> cluster.keys.cordon(id, Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void alikeWorkersAndJobsEndEvenWithTheFewestMoves(long seed) {
        var random = new Random(seed);
        MovingCluster cluster = uniform(random);
        uncordonAll(cluster);
        for (int join = random.nextInt(3); join > 0; join--) {
            cluster.workers("x" + join);
        }
        Map<String, Long> before = cluster.loads();
        double ideal =
                (double) before.values().stream().mapToLong(Long::longValue).sum() / before.size();
        long moves = 0;
        // Some workers take their time, some steps of time bring nothing, and leaders change.
        for (int i = 0; i < 30; i++) {
            moves += cluster.round().size();
            if (random.nextInt(3) == 0) {
                cluster.work();
            }
            if (random.nextInt(10) == 0) {
                cluster.changeLeader();
            }
        }
        moves += cluster.settle();
        assertEquals(fewestMoves(before), moves, before::toString);
        assertEven(cluster.loads());
        assertEquals(moves, new HashSet<>(cluster.moves).size(), "no job moves twice");
        cluster.moves.forEach(move ->
                assertTrue(before.get(move.substring(move.indexOf('<') + 1)) > ideal, () -> move + " of " + before));
        assertEquals(0, cluster.settle());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void joinsAndLeavesEndEvenAndMoveOnlyWhatTheyMust(long seed) {
        var random = new Random(seed);
        MovingCluster cluster = uniform(random);
        uncordonAll(cluster);
        cluster.settle();
        for (int i = 0; i < 10; i++) {
            if (random.nextBoolean() && cluster.keys.workers.size() > 1) {
                List<String> live = List.copyOf(cluster.keys.workers.keySet());
                cluster.keys.die(live.get(random.nextInt(live.size())));
                assertEquals(0, cluster.settle(), "what was placed anew is even already");
            } else {
                cluster.workers("x" + i);
                long fewest = fewestMoves(cluster.loads());
                assertTrue(cluster.settle() <= fewest, "5 % may leave less to move");
            }
            Map<String, Long> loads = cluster.loads();
            long most = Collections.max(loads.values());
            assertTrue(
                    most - Collections.min(loads.values()) <= Math.max(1, most * 0.05),
                    () -> "neither one job nor 5 %: " + loads);
        }
    }

    /** Weights, domains, capacities, marks and orders all at once, and workers that take their time. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whateverTheClusterItComesToRestWhereNoMoveWouldBeBetter(long seed) {
        var random = new Random(seed);
        var cluster = new MovingCluster();
        for (int phase = 0; phase < 6; phase++) {
            for (int i = 0; i < 12; i++) {
                event(cluster, random, phase * 100 + i);
                cluster.round();
                if (random.nextInt(3) == 0) {
                    cluster.work();
                }
            }
            cluster.settle();
            assertNoMoveIsBetter(cluster);
            assertEquals(0, cluster.settle());
            cluster.changeLeader();
            assertEquals(0, cluster.settle(), "the next leader sees nothing to do either");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aQuietClusterMovesFewerJobsThanItHas(long seed) {
        var random = new Random(seed);
        var cluster = new MovingCluster();
        for (int i = 0; i < 40; i++) {
            event(cluster, random, i);
        }
        cluster.settle();
        int before = cluster.moves.size();
        join(cluster, random, "x");
        cluster.settle();
        int moved = cluster.moves.size() - before;
        assertTrue(moved <= cluster.keys.jobs.size(), () -> moved + " moves of " + cluster.keys.jobs.size() + " jobs");
    }

    private static void event(MovingCluster cluster, Random random, int number) {
        ModelStore keys = cluster.keys;
        List<String> workers = List.copyOf(keys.workers.keySet());
        String some = workers.isEmpty() ? "" : workers.get(random.nextInt(workers.size()));
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                for (int i = 0; i < 5; i++) {
                    cluster.job(
                            "j" + number + "-" + i,
                            DOMAINS.get(random.nextInt(DOMAINS.size())),
                            1 + random.nextInt(random.nextInt(5) + 1));
                }
            }
            case 3, 4 -> join(cluster, random, "w" + random.nextInt(6));
            case 5 -> {
                if (!some.isEmpty()) {
                    keys.die(some);
                }
            }
            case 6 -> {
                if (keys.cordons.containsKey(some)) {
                    keys.cordon(some, Optional.empty());
                } else if (!some.isEmpty()) {
                    keys.cordon(some, Optional.of(random.nextBoolean() ? Samples.cordon() : Samples.drain("")));
                }
            }
            default ->
                keys.jobs.values().stream()
                        .flatMap(known -> known.value().stream())
                        .filter(job -> random.nextInt(4) == 0)
                        .toList()
                        .forEach(job -> keys.job(
                                job.toBuilder().status(JobStatus.KILLED).build()));
        }
    }

    private static void join(MovingCluster cluster, Random random, String id) {
        Set<String> domains = new HashSet<>(DOMAINS);
        domains.removeIf(domain -> random.nextInt(3) == 0);
        OptionalLong capacity = random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(5L + random.nextInt(30));
        cluster.keys.worker(Samples.worker(id, domains, capacity, OptionalDouble.empty()));
    }

    /** By a search through all jobs and workers. */
    private static void assertNoMoveIsBetter(MovingCluster cluster) {
        Map<String, Long> loads = cluster.loads();
        ModelStore keys = cluster.keys;
        for (ModelStore.OnWorker key : keys.assignments.keySet()) {
            Job job = keys.jobs.get(key.jobId()).value().orElseThrow();
            if (keys.cordons.containsKey(key.workerId()) || job.status() != JobStatus.CREATED) {
                continue;
            }
            Map<String, Candidate> candidates = new TreeMap<>();
            keys.workers.forEach((id, known) -> {
                Worker worker = known.value().orElseThrow();
                Candidate candidate = new Candidate(id, loads.get(id), worker.capacity(), 0);
                if (worker.serves(job.domain())
                        && !keys.cordons.containsKey(id)
                        && candidate.hasRoomFor(job.weight())) {
                    candidates.put(id, candidate);
                }
            });
            candidates.values().stream().min(Candidate.BY_UTILISATION).ifPresent(to -> {
                Candidate from = new Candidate(
                        key.workerId(),
                        loads.get(key.workerId()),
                        cluster.worker(key.workerId()).capacity(),
                        0);
                double kept = (from.used() - Math.max(job.weight(), from.used() * 0.05)) / from.size();
                boolean better = kept > to.utilisation()
                        && (double) (to.used() + job.weight()) / to.size() <= from.utilisation();
                assertTrue(!better, () -> job + " should move from " + from + " to " + to + " of " + loads);
            });
        }
    }
}
