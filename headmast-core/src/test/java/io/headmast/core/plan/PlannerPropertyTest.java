// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.Worker;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.Scheduling;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every plan, whatever happened before: random lives of small clusters, each from a seed. */
final class PlannerPropertyTest {
    private static final int SEEDS = 60;
    private static final List<String> POLICIES = List.of("roundbin", "balance", "rebalancing");
    private static final int EVENTS = 400;
    private static final int CHECK_EVERY = 100;
    private static final int NO_LIMIT = 1000;

    static Stream<Arguments> lives() {
        return Stream.iterate(0L, seed -> seed < SEEDS, seed -> seed + 1)
                .map(seed -> Arguments.of(seed, POLICIES.get((int) (seed % POLICIES.size()))));
    }

    private static Scheduling policy(String name) {
        return switch (name) {
            case "roundbin" -> Scheduling.of(new RoundbinPolicy());
            case "balance" -> new Scheduling(new BalancePolicy(), 0);
            default -> new Scheduling(new BalancePolicy(), Scheduling.MAX_REBALANCE_RATE);
        };
    }

    /** How even the load could still be made depends on what is expected of moves under way; the rest is certain. */
    private static List<Step> certain(Plan plan) {
        return plan.steps().stream()
                .filter(step -> !step.reason().startsWith("rebalance: "))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("lives")
    void everyPlanIsSoundCompleteAndTheSameForTheSame(long seed, String policy) {
        var keys = new ModelStore();
        var life = new RandomLife(keys, seed);
        var random = new Random(seed);
        ClusterState state = keys.follower();
        var planner = new Planner(state, policy(policy));
        var twin = new Planner(keys.follower(), policy(policy));
        for (int i = 1; i <= EVENTS; i++) {
            life.event();
            if (random.nextInt(50) == 0) {
                life.orphanAssignment();
            }
            if (random.nextInt(3) == 0) {
                continue;
            }
            int limit = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : NO_LIMIT;
            Plan plan = planner.plan(life.now, limit);
            assertEquals(plan, twin.plan(life.now, limit));
            assertTrue(plan.steps().size() <= limit);
            assertSound(plan, keys, life.now);
            plan.steps().forEach(step -> assertTrue(keys.commit(step), () -> "did not hold: " + step));
            if (limit == NO_LIMIT) {
                assertEquals(List.of(), certain(planner.plan(life.now, limit)), "nothing is left to plan");
                assertEquals(List.of(), certain(twin.plan(life.now, limit)));
                assertComplete(keys, life.now);
            }
            if (i % CHECK_EVERY == 0 || i == EVENTS) {
                assertEqualsRebuilt(keys, state, life.now, () -> planner.plan(life.now, NO_LIMIT), policy);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("lives")
    void stepsThatWereLostArePlannedAgain(long seed, String policy) {
        var keys = new ModelStore();
        var life = new RandomLife(keys, seed);
        var random = new Random(seed);
        ClusterState state = keys.follower();
        var planner = new Planner(state, policy(policy));
        for (int i = 0; i < EVENTS; i++) {
            life.event();
            Plan plan = planner.plan(life.now, NO_LIMIT);
            assertSound(plan, keys, life.now);
            // Committed late, after other things happened; or never.
            if (random.nextBoolean()) {
                life.event();
            }
            for (Step step : plan.steps()) {
                if (random.nextInt(4) == 0) {
                    state.dropped(step);
                } else {
                    keys.commit(step);
                }
            }
            assertAtMostOncePlaced(keys);
        }
        planAll(keys, life.now, planner);
        assertComplete(keys, life.now);
        assertEqualsRebuilt(keys, state, life.now, () -> planner.plan(life.now, NO_LIMIT), policy);
    }

    private static void planAll(ModelStore keys, Instant now, Planner planner) {
        Plan plan = planner.plan(now, NO_LIMIT);
        while (!plan.steps().isEmpty()) {
            plan.steps().forEach(keys::commit);
            plan = planner.plan(now, NO_LIMIT);
        }
    }

    /** Each step by itself, and all of them together, are what the keys allow. */
    private static void assertSound(Plan plan, ModelStore keys, Instant now) {
        Set<String> touched = new HashSet<>();
        Map<String, Long> used = usedByWorker(keys);
        for (Step step : plan.steps()) {
            assertTrue(touched.add(step.jobId()), () -> "two steps for one job: " + plan);
            if (step instanceof Step.Place place) {
                assertMayBePlaced(place, keys, now);
                used.merge(
                        place.workerId(), (long) recordOf(keys, place.jobId()).weight(), Long::sum);
            } else if (step instanceof Step.Stop stop) {
                var order = keys.killers.get(new ModelStore.OnWorker(stop.workerId(), stop.jobId()));
                assertTrue(
                        order == null || !order.value().equals(Optional.of(stop.order())), () -> "repeated: " + stop);
            } else if (step instanceof Step.Remove remove) {
                assertTrue(keys.assignments.keySet().stream()
                        .noneMatch(key -> key.jobId().equals(remove.jobId())));
                Known<Job> record = keys.jobs.get(remove.jobId());
                assertTrue(
                        record == null
                                || recordOf(keys, remove.jobId()).status() == JobStatus.DELETING
                                || isOver(keys, recordOf(keys, remove.jobId()), now),
                        () -> "still wanted: " + remove);
            }
        }
        for (Step step : plan.steps()) {
            if (step instanceof Step.Place place) {
                Worker worker = registrationOf(keys, place.workerId());
                assertTrue(
                        worker.capacity().isEmpty()
                                || used.get(worker.id()) <= worker.capacity().getAsLong(),
                        () -> "overfull: " + place + " of " + worker + " used " + used);
            }
        }
    }

    private static void assertMayBePlaced(Step.Place place, ModelStore keys, Instant now) {
        Job job = recordOf(keys, place.jobId());
        assertEquals(JobStatus.CREATED, job.status());
        assertTrue(job.targetState() != TargetState.INACTIVE);
        assertTrue(!ended(keys, job), () -> "ended: " + place);
        Worker worker = registrationOf(keys, place.workerId());
        assertTrue(!worker.closing() && worker.serves(job.domain()), () -> "ineligible: " + place + " " + worker);
        assertTrue(!keys.cordons.containsKey(worker.id()));
        assertTrue(!isHandedBack(keys, job, worker.id(), now));
        assertEquals(job.generation(), place.state().generation());
    }

    /** No job that should run waits while some worker could have it. */
    private static void assertComplete(ModelStore keys, Instant now) {
        Map<String, Long> used = usedByWorker(keys);
        keys.jobs.forEach((id, known) -> known.value().ifPresent(job -> {
            assertTrue(isUnreadableOrAssigned(keys, id) || !isOver(keys, job, now), () -> id + " is kept for too long");
            if (!job.wantsPlacement() || ended(keys, job) || isUnreadableOrAssigned(keys, id)) {
                return;
            }
            keys.workers.forEach((workerId, registered) -> registered.value().ifPresent(worker -> {
                boolean fits = worker.serves(job.domain())
                        && !worker.closing()
                        && !keys.cordons.containsKey(workerId)
                        && !isHandedBack(keys, job, workerId, now)
                        && (worker.capacity().isEmpty()
                                || used.getOrDefault(workerId, 0L) + job.weight()
                                        <= worker.capacity().getAsLong());
                assertTrue(!fits, () -> id + " waits although it fits on " + worker + " used " + used);
            }));
        }));
    }

    private static void assertAtMostOncePlaced(ModelStore keys) {
        Set<String> jobs = new HashSet<>();
        keys.assignments.keySet().forEach(key -> assertTrue(jobs.add(key.jobId()), () -> "twice: " + key));
    }

    private static void assertEqualsRebuilt(
            ModelStore keys, ClusterState state, Instant now, Supplier<Plan> replan, String policy) {
        planAllOf(keys, replan);
        ClusterState rebuilt = keys.rebuilt();
        Plan plan = new Planner(rebuilt, policy(policy)).plan(now, NO_LIMIT);
        assertEquals(List.of(), certain(plan));
        plan.steps().forEach(rebuilt::dropped);
        ClusterDescription.assertSame(rebuilt, state);
    }

    private static void planAllOf(ModelStore keys, Supplier<Plan> replan) {
        for (Plan plan = replan.get(); !plan.steps().isEmpty(); plan = replan.get()) {
            plan.steps().forEach(keys::commit);
        }
    }

    private static Map<String, Long> usedByWorker(ModelStore keys) {
        Map<String, Long> used = new HashMap<>();
        keys.states.forEach((id, known) -> placementOf(keys, id).ifPresent(worker -> {
            Known<Job> record = keys.jobs.get(id);
            int weight = record == null ? 1 : record.value().map(Job::weight).orElse(1);
            used.merge(worker, (long) weight, Long::sum);
        }));
        return used;
    }

    private static Optional<String> placementOf(ModelStore keys, String jobId) {
        Known<RunState> state = keys.states.get(jobId);
        if (state == null || state.value().isEmpty()) {
            return Optional.empty();
        }
        return state.value().get().worker().filter(worker -> {
            var assignment = keys.assignments.get(new ModelStore.OnWorker(worker, jobId));
            return assignment != null && assignment.createRevision() == JobSlot.epoch(state);
        });
    }

    private static boolean isUnreadableOrAssigned(ModelStore keys, String jobId) {
        Known<RunState> state = keys.states.get(jobId);
        boolean assigned =
                keys.assignments.keySet().stream().anyMatch(key -> key.jobId().equals(jobId));
        return assigned || (state != null && state.value().isEmpty());
    }

    private static boolean ended(ModelStore keys, Job job) {
        Known<RunState> state = keys.states.get(job.id());
        return state != null
                && state.value()
                        .filter(last -> last.phase().isTerminal() && last.generation() >= job.generation())
                        .isPresent();
    }

    /** Whether it has finished, and was kept for as long as it was to be. */
    private static boolean isOver(ModelStore keys, Job job, Instant now) {
        return job.status() == JobStatus.CREATED
                && ended(keys, job)
                && job.retainFor().isPresent()
                && !keys.states
                        .get(job.id())
                        .value()
                        .orElseThrow()
                        .since()
                        .plus(job.retainFor().get())
                        .isAfter(now);
    }

    private static boolean isHandedBack(ModelStore keys, Job job, String workerId, Instant now) {
        Known<RunState> state = keys.states.get(job.id());
        return state != null
                && state.value().filter(last -> last.generation() == job.generation()).stream()
                        .flatMap(last -> last.handBacks().stream())
                        .anyMatch(back -> back.worker().equals(workerId)
                                && back.until().isAfter(now)
                                && back.registration()
                                        == keys.workers.get(workerId).createRevision());
    }

    private static Job recordOf(ModelStore keys, String jobId) {
        return keys.jobs.get(jobId).value().orElseThrow();
    }

    private static Worker registrationOf(ModelStore keys, String workerId) {
        return keys.workers.get(workerId).value().orElseThrow();
    }
}
