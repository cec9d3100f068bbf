// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long finished jobs are kept. */
final class PlannerRetentionTest extends PlannerCase {
    private static final Duration DAY = Duration.ofDays(1);

    @BeforeEach
    void aWorker() {
        keys.worker(Samples.worker("w"));
    }

    private static Job.Builder kept(String id, Duration time) {
        return Job.builder().id(id).retainFor(time);
    }

    /** A job that has run and ended at {@link #NOW}. */
    private void finish(Job job, Phase phase) {
        keys.job(job);
        place();
        release(job.id(), phase);
    }

    private Plan planAt(Instant now) {
        return planner.plan(now, NO_LIMIT);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPLETED", "FAILED"})
    void finishedJobIsRemovedWhenItsTimeIsOverAndNotBefore(Phase phase) {
        finish(kept("a", DAY).build(), phase);

        assertEquals(new Plan(List.of(), List.of(), Optional.of(NOW.plus(DAY))), planAt(NOW));
        assertEquals(List.of(), planAt(NOW.plus(DAY).minusMillis(1)).steps());
        Step.Remove remove = (Step.Remove) planAt(NOW.plus(DAY)).steps().get(0);
        assertTrue(keys.commit(remove));

        assertFalse(keys.jobs.containsKey("a") || keys.states.containsKey("a"));
        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW.plus(DAY)));
    }

    @Test
    void jobThatIsKeptForNoTimeAtAllIsRemovedAtOnce() {
        finish(kept("a", Duration.ZERO).build(), Phase.COMPLETED);

        assertEquals(1, plan().size());
    }

    @Test
    void jobWithoutALimitIsKeptForEver() {
        finish(Samples.job("a"), Phase.COMPLETED);

        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(Instant.MAX));
    }

    @ParameterizedTest
    @EnumSource(names = {"KILLED", "INACTIVE"})
    void jobThatWasStoppedIsNotFinished(Phase phase) {
        finish(kept("a", DAY).targetState(TargetState.LAUNCHED).build(), phase);
        keys.job(
                phase == Phase.KILLED
                        ? kept("a", DAY).status(JobStatus.KILLED).build()
                        : kept("a", DAY).targetState(TargetState.INACTIVE).build());

        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW.plus(DAY)));
    }

    @Test
    void finishedJobThatIsKilledStays() {
        finish(kept("a", DAY).build(), Phase.COMPLETED);
        keys.job(kept("a", DAY).status(JobStatus.KILLED).build());

        assertEquals(List.of(), planAt(NOW.plus(DAY)).steps());
    }

    @Test
    void newGenerationThatWaitsForAWorkerIsNotRemoved() {
        finish(kept("a", DAY).build(), Phase.FAILED);
        keys.die("w");
        keys.job(kept("a", DAY).generation(2).build());

        assertEquals(List.of(), planAt(NOW.plus(DAY)).steps());
        assertEquals(1, state.backlog.size());
    }

    @Test
    void orderThatComesFirstWins() {
        finish(kept("a", DAY).build(), Phase.COMPLETED);
        Step remove = planAt(NOW.plus(DAY)).steps().get(0);

        keys.job(kept("a", DAY).generation(2).build());

        assertFalse(keys.commit(remove));
        assertEquals(List.of("a>w"), place(NOW.plus(DAY)));
    }

    @Test
    void changedTimeCountsAtOnce() {
        finish(kept("a", DAY).build(), Phase.COMPLETED);
        plan();

        keys.job(kept("a", Duration.ofHours(1)).build());
        assertEquals(
                Optional.of(NOW.plusSeconds(3600)),
                planAt(NOW.plusSeconds(3599)).retryAt());
        keys.job(kept("a", Duration.ofHours(2)).build());
        assertEquals(List.of(), planAt(NOW.plusSeconds(3600)).steps());
        keys.job(Samples.job("a"));
        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW.plus(DAY)));
        keys.job(kept("a", Duration.ofHours(3)).build());
        assertEquals(1, planAt(NOW.plus(DAY)).steps().size());
    }

    @Test
    void stepUnderWayIsNotPlannedAgainAndALostOneIs() {
        finish(kept("a", Duration.ZERO).build(), Phase.COMPLETED);
        Step remove = plan().get(0);
        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW));

        state.dropped(remove);

        assertEquals(List.of(remove), plan());
    }

    @Test
    void longestDueGoFirstWithinTheLimitOfAPlan() {
        for (int i = 0; i < 5; i++) {
            finish(kept("j" + i, Duration.ofSeconds(10 - i)).build(), Phase.COMPLETED);
        }
        plan();
        Instant later = NOW.plusSeconds(60);

        Plan plan = planner.plan(later, 3);

        assertEquals(
                List.of("j4", "j3", "j2"),
                plan.steps().stream().map(Step::jobId).toList());
        assertEquals(Optional.of(NOW.plusSeconds(9)), plan.retryAt(), "the rest is due already");
        assertEquals(2, planner.plan(later, 3).steps().size());
    }

    @Test
    void jobThatSomethingIsAssignedForIsNotRemoved() {
        finish(kept("a", Duration.ZERO).build(), Phase.COMPLETED);
        keys.assignment("w", "a", Optional.of(new Assignment(TargetState.LAUNCHED)));

        assertTrue(plan().get(0) instanceof Step.Stop);
    }

    @Test
    void stateThatDoesNotSayWhenOrSaysNonsenseKeepsItsJob() {
        finish(kept("a", DAY).build(), Phase.COMPLETED);
        keys.state("a", Optional.of(running("a").to(Phase.COMPLETED, Instant.EPOCH, "")));
        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW.plus(DAY)));

        keys.state("a", Optional.of(running("a").to(Phase.COMPLETED, Instant.MAX, "")));
        assertEquals(new Plan(List.of(), List.of(), Optional.empty()), planAt(NOW.plus(DAY)));
    }
}
