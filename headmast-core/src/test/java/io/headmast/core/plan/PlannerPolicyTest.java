// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.testing.Samples;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a policy of somebody else can and can't do to the planner. */
final class PlannerPolicyTest {
    private static final Instant NOW = Instant.parse("2020-01-01T00:00:00Z");

    private final ModelStore keys = new ModelStore();

    private interface Choice {
        Optional<String> choose(Job job, Candidates candidates);
    }

    private Planner plannerWith(Choice choice) {
        return new Planner(keys.follower(), Scheduling.of(policyWith(choice)));
    }

    private static SchedulePolicy policyWith(Choice choice) {
        return new SchedulePolicy() {
            @Override
            public String name() {
                return "custom";
            }

            @Override
            public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
                return choice.choose(job, candidates);
            }
        };
    }

    private static Optional<String> first(Candidates candidates) {
        return candidates.nextAfter("").map(Candidate::workerId);
    }

    private static List<String> placed(Plan plan) {
        return plan.steps().stream()
                .map(step -> step.jobId() + ">" + step.workerId())
                .toList();
    }

    private void jobsAndWorkers(String jobs, String workers) {
        jobs.chars().forEach(c -> keys.job(Samples.job(Character.toString(c))));
        workers.chars().forEach(c -> keys.worker(Samples.worker(Character.toString(c))));
    }

    @Test
    void policyThatThrowsCostsThatPlacementOnly() {
        jobsAndWorkers("abc", "w");
        Planner planner = plannerWith((job, candidates) -> {
            if (job.id().equals("b")) {
                throw new IllegalStateException("no idea");
            }
            return first(candidates);
        });
        Plan plan = planner.plan(NOW, 100);
        assertEquals(List.of("a>w", "c>w"), placed(plan));
        assertEquals(
                List.of("policy custom failed on job b: java.lang.IllegalStateException: no idea"), plan.problems());
        assertEquals(Optional.of(NOW.plusSeconds(1)), plan.retryAt());
    }

    static Stream<Choice> misbehaviour() {
        return Stream.of(
                (job, candidates) -> {
                    throw new NoClassDefFoundError("com/example/Missing");
                },
                (job, candidates) -> endless(job, candidates, 0),
                (job, candidates) -> {
                    throw new AssertionError("should not happen");
                },
                (job, candidates) -> nothing());
    }

    private static Optional<String> endless(Job job, Candidates candidates, int depth) {
        return depth < 0
                ? Optional.empty()
                : endless(job, candidates, depth + 1).filter(id -> !id.isEmpty());
    }

    /** What a policy without null checks may answer. */
    @SuppressWarnings({"NullAway", "OptionalAssignedToNull", "OptionalOfNullableMisuse", "NullOptional"})
    private static Optional<String> nothing() {
        return null;
    }

    @ParameterizedTest
    @MethodSource("misbehaviour")
    void whateverAPolicyDoesTheOthersArePlaced(Choice worst) {
        jobsAndWorkers("abc", "w");
        Planner planner = plannerWith(
                (job, candidates) -> job.id().equals("b") ? worst.choose(job, candidates) : first(candidates));
        Plan plan = planner.plan(NOW, 100);
        assertEquals(List.of("a>w", "c>w"), placed(plan));
        assertEquals(1, plan.problems().size());
        assertTrue(plan.problems().get(0).startsWith("policy custom failed on job b: "), plan.problems()::toString);
        assertEquals(Optional.of(NOW.plusSeconds(1)), plan.retryAt());
    }

    @Test
    void failedPlacementIsTriedAgainAfterAPause() {
        jobsAndWorkers("a", "w");
        var works = new boolean[1];
        Planner planner = plannerWith((job, candidates) -> {
            if (!works[0]) {
                throw new IllegalStateException("not yet");
            }
            return first(candidates);
        });
        assertEquals(1, planner.plan(NOW, 100).problems().size());
        assertEquals(List.of(), planner.plan(NOW.plusMillis(999), 100).problems());
        works[0] = true;
        assertEquals(List.of("a>w"), placed(planner.plan(NOW.plusSeconds(1), 100)));
    }

    @Test
    void policyThatNamesAnIneligibleWorkerCostsThatPlacementOnly() {
        jobsAndWorkers("abc", "v");
        keys.worker(Samples.serving("w", "other"));
        Planner planner = plannerWith((job, candidates) -> Optional.of(job.id().equals("b") ? "w" : "v"));
        Plan plan = planner.plan(NOW, 100);
        assertEquals(List.of("a>v", "c>v"), placed(plan));
        assertEquals(List.of("policy custom chose worker w for job b, which is not eligible"), plan.problems());
    }

    @Test
    void policyThatNamesAWorkerThatDoesNotExistCostsThatPlacementOnly() {
        jobsAndWorkers("a", "v");
        Plan plan = plannerWith((job, candidates) -> Optional.of("nobody")).plan(NOW, 100);
        assertEquals(List.of(), plan.steps());
        assertEquals(1, plan.problems().size());
    }

    @Test
    void policyThatWouldRatherWaitWithOneJobHoldsUpNoOther() {
        jobsAndWorkers("abc", "w");
        var asked = new ArrayList<String>();
        Planner planner = plannerWith((job, candidates) -> {
            asked.add(job.id());
            return job.id().equals("a") ? Optional.empty() : first(candidates);
        });
        Plan plan = planner.plan(NOW, 100);
        assertEquals(List.of("b>w", "c>w"), placed(plan));
        assertEquals(List.of(), plan.problems());
        assertEquals(Optional.of(NOW.plusSeconds(1)), plan.retryAt());
        assertEquals(List.of("a", "b", "c"), asked);
    }

    @Test
    void backlogWithoutAWorkerAsksThePolicyOnceForAllThatAreAlike() {
        jobsAndWorkers("abcdefgh", "");
        var asked = new int[1];
        Planner planner = plannerWith((job, candidates) -> {
            asked[0]++;
            return first(candidates);
        });
        planner.plan(NOW, 100);
        planner.plan(NOW, 100);
        assertEquals(1, asked[0]);
    }
}
