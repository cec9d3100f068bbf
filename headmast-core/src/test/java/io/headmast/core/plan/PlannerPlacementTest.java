// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which jobs get which workers, and when. */
final class PlannerPlacementTest extends PlannerCase {
    static Stream<Job> jobsThatMustNotRun() {
        return Stream.of(
                Job.builder().id("j").status(JobStatus.KILLED).build(),
                Job.builder().id("j").status(JobStatus.DELETING).build(),
                Job.builder().id("j").targetState(TargetState.INACTIVE).build());
    }

    @ParameterizedTest
    @MethodSource("jobsThatMustNotRun")
    void jobThatMustNotRunIsNotPlaced(Job job) {
        keys.worker(Samples.worker("w"));
        keys.job(job);
        assertEquals(List.of(), place());
    }

    @ParameterizedTest
    @MethodSource("jobsThatMustNotRun")
    void waitingJobThatMustNotRunAnyMoreIsNotPlaced(Job job) {
        keys.job(Samples.job("j"));
        assertEquals(List.of(), place());
        keys.job(job);
        keys.worker(Samples.worker("w"));
        assertEquals(List.of(), place());
    }

    @Test
    void backlogIsServedInTheOrderInWhichTheRecordsCame() {
        List<String> ids = List.of("c", "a", "d", "b");
        ids.forEach(id -> keys.job(
                Job.builder().id(id).domain(id.equals("d") ? "x" : "default").build()));
        keys.job(Job.builder().id("c").labels(Map.of("later", "changed")).build());
        assertEquals(List.of(), place());
        keys.worker(Samples.worker("w", 3));
        assertEquals(List.of("c>w", "a>w", "d>w"), place());
    }

    @Test
    void limitLeavesTheRestForTheNextPlan() {
        keys.worker(Samples.worker("w"));
        List.of("a", "b", "c").forEach(id -> keys.job(Samples.job(id)));
        Plan first = planner.plan(NOW, 2);
        assertEquals(List.of("a", "b"), first.steps().stream().map(Step::jobId).toList());
        assertEquals(List.of("c"), plan().stream().map(Step::jobId).toList());
        assertEquals(List.of(), plan());
    }

    @Test
    void placementsThatAreNotCommittedYetTakeTheirRoom() {
        keys.worker(Samples.worker("w", 2));
        List.of("a", "b", "c").forEach(id -> keys.job(Samples.job(id)));
        List<Step> plan = plan();
        assertEquals(List.of("a", "b"), plan.stream().map(Step::jobId).toList());
        assertEquals(List.of(), plan());
        state.dropped(plan.get(0));
        assertEquals(List.of("a"), plan().stream().map(Step::jobId).toList());
    }

    @Test
    void weightsCountAgainstTheCapacity() {
        keys.worker(Samples.worker("w", 5));
        keys.job(Job.builder().id("a").weight(3).build());
        keys.job(Job.builder().id("b").weight(3).build());
        keys.job(Job.builder().id("c").weight(2).build());
        assertEquals(List.of("a>w", "c>w"), place());
        assertEquals(5, state.workers.get("w").used);
    }

    @Test
    void changedWeightIsCountedAtOnceAndMovesNothing() {
        keys.worker(Samples.worker("w", 3));
        keys.job(Samples.job("a"));
        assertEquals(List.of("a>w"), place());
        keys.job(Job.builder().id("a").weight(3).build());
        keys.job(Samples.job("b"));
        assertEquals(List.of(), plan());
        keys.job(Job.builder().id("a").weight(2).build());
        assertEquals(List.of("b>w"), place());
    }

    @Test
    void blockedQueueWakesWhenAWorkerJoins() {
        keys.job(Samples.job("a"));
        assertEquals(List.of(), place());
        keys.worker(Samples.serving("w1", "other"));
        assertEquals(List.of(), place());
        keys.worker(Samples.serving("w2", "default"));
        assertEquals(List.of("a>w2"), place());
    }

    @Test
    void blockedQueueWakesWhenAWorkerFreesRoom() {
        keys.worker(Samples.worker("w", 1));
        keys.job(Samples.job("a"));
        keys.job(Samples.job("b"));
        assertEquals(List.of("a>w"), place());
        assertEquals(List.of(), place());
        release("a", Phase.COMPLETED);
        assertEquals(List.of("b>w"), place());
    }

    @Test
    void blockedQueueWakesWhenAWorkerIsUncordoned() {
        keys.worker(Samples.worker("w"));
        keys.cordon("w", Optional.of(Samples.cordon()));
        keys.job(Samples.job("a"));
        assertEquals(List.of(), place());
        keys.cordon("w", Optional.empty());
        assertEquals(List.of("a>w"), place());
    }

    @Test
    void blockedQueueWakesWhenAWorkerGrows() {
        keys.worker(Samples.worker("w", 0));
        keys.job(Samples.job("a"));
        assertEquals(List.of(), place());
        keys.worker(Samples.worker("w", 1));
        assertEquals(List.of("a>w"), place());
    }

    @Test
    void closingWorkerGetsNothing() {
        keys.worker(Samples.worker("w").withClosing(true));
        keys.job(Samples.job("a"));
        assertEquals(List.of(), place());
    }

    @Test
    void deadWorkersJobIsPlacedElsewhere() {
        keys.worker(Samples.worker("w1"));
        keys.job(Samples.job("a"));
        assertEquals(List.of("a>w1"), place());
        keys.worker(Samples.worker("w2"));
        keys.die("w1");
        assertEquals(List.of("a>w2"), place());
        assertEquals(
                "placed by roundbin; it was on worker w1 before",
                keys.states.get("a").value().orElseThrow().reason());
    }

    @Test
    void missingRegistrationAloneReleasesNothing() {
        keys.worker(Samples.worker("w1"));
        keys.worker(Samples.worker("w2"));
        keys.job(Samples.job("a"));
        assertEquals(List.of("a>w1"), place());
        state.worker("w1", Optional.empty());
        assertEquals(List.of(), plan());
    }

    @Test
    void nothingMoreIsPlannedOntoALapsedLease() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        Step step = plan().get(0);
        state.lapsed(((Step.Place) step).target());
        state.dropped(step);
        assertEquals(List.of(), plan());
        keys.die("w");
        keys.worker(Samples.worker("w"));
        assertEquals(List.of("a>w"), place());
    }
}
