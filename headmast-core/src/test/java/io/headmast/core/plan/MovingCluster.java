// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A planner that rebalances, on a model of the keys, and workers that do at once what they are told. */
final class MovingCluster {
    static final int NO_LIMIT = 10_000;
    private static final int MAX_ROUNDS = 20_000;
    private static final Duration ROUND = Duration.ofMillis(10);

    final ModelStore keys = new ModelStore();
    final ClusterState state = keys.follower();

    /** What was moved for evenness, as {@code job<worker}. */
    final List<String> moves = new ArrayList<>();

    private final Scheduling scheduling;
    Planner planner;
    Instant now = Instant.parse("2020-01-01T00:00:00Z");

    MovingCluster() {
        this(new BalancePolicy(), Scheduling.MAX_REBALANCE_RATE);
    }

    MovingCluster(SchedulePolicy policy, int rate) {
        scheduling = new Scheduling(policy, rate);
        planner = new Planner(state, scheduling);
    }

    /** Another leader, which knows only what is in the store. */
    void changeLeader() {
        planner = new Planner(keys.follower(), scheduling);
    }

    void workers(String... ids) {
        for (String id : ids) {
            keys.worker(Samples.worker(id));
        }
    }

    void jobs(int count) {
        int from = keys.jobs.size();
        for (int i = from; i < from + count; i++) {
            keys.job(Samples.job("j" + i));
        }
    }

    void job(String id, String domain, int weight) {
        keys.job(Job.builder().id(id).domain(domain).weight(weight).build());
    }

    /** Plans and commits once; tells what was moved. */
    List<String> round() {
        Plan plan = planner.plan(now, NO_LIMIT);
        List<String> moved = new ArrayList<>();
        for (Step step : plan.steps()) {
            assertTrue(keys.commit(step), step::toString);
            if (step.reason().startsWith("rebalance: ")) {
                moved.add(step.jobId() + "<" + step.workerId());
            }
        }
        moves.addAll(moved);
        now = now.plus(ROUND);
        return moved;
    }

    /** Workers begin with what is new, and give up what they are told to. */
    void work() {
        List.copyOf(keys.killers.keySet()).forEach(this::obey);
        List.copyOf(keys.assignments.keySet()).forEach(this::begin);
    }

    /** Until nothing is left to do; tells how many jobs were moved for evenness. */
    int settle() {
        int before = moves.size();
        for (int i = 0; i < MAX_ROUNDS; i++) {
            long revision = keys.revision();
            Plan plan = planner.plan(now, NO_LIMIT);
            for (Step step : plan.steps()) {
                assertTrue(keys.commit(step), step::toString);
                if (step.reason().startsWith("rebalance: ")) {
                    moves.add(step.jobId() + "<" + step.workerId());
                }
            }
            work();
            if (keys.revision() == revision && plan.retryAt().isEmpty()) {
                return moves.size() - before;
            }
            now = now.plus(ROUND);
        }
        throw new AssertionError(
                "does not come to rest: " + loads() + " " + moves.subList(moves.size() - 20, moves.size()));
    }

    /** The weight on each live worker. */
    Map<String, Long> loads() {
        Map<String, Long> loads = new TreeMap<>();
        keys.workers.keySet().forEach(id -> loads.put(id, 0L));
        keys.assignments.keySet().forEach(key -> loads.merge(key.workerId(), (long) weight(key.jobId()), Long::sum));
        return loads;
    }

    int weight(String jobId) {
        return keys.jobs.get(jobId).value().map(Job::weight).orElseThrow();
    }

    Worker worker(String id) {
        return keys.workers.get(id).value().orElseThrow();
    }

    private void obey(ModelStore.OnWorker key) {
        KillOrder order = keys.killers.get(key).value().orElseThrow();
        keys.release(key.workerId(), key.jobId(), placed(key).to(order.then(), now, order.reason()));
    }

    private void begin(ModelStore.OnWorker key) {
        RunState placed = placed(key);
        if (placed.phase() == Phase.SCHEDULED) {
            keys.state(key.jobId(), Optional.of(placed.to(Phase.RUNNING, now, "started")));
        }
    }

    /** The state of the run with its epoch, as its worker knows it. */
    RunState placed(ModelStore.OnWorker key) {
        return keys.states
                .get(key.jobId())
                .value()
                .orElseThrow()
                .withWorker(
                        Optional.of(key.workerId()), keys.assignments.get(key).createRevision());
    }
}
