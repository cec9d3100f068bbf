// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.testing.Samples;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done about a job that has a place: job {@code a} on worker {@code w}. */
final class PlannerStopTest {
    private static final Instant NOW = Instant.parse("2020-01-01T00:00:00Z");
    private static final int NO_LIMIT = 1000;
    private static final ModelStore.OnWorker ON_W = new ModelStore.OnWorker("w", "a");

    private final ModelStore keys = new ModelStore();
    private final ClusterState state = keys.follower();
    private final Planner planner = new Planner(state, new RoundbinPolicy());

    @BeforeEach
    void jobIsPlaced() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        assertInstanceOf(Step.Place.class, commitTheOnlyStep());
    }

    private List<Step> plan() {
        return planner.plan(NOW, NO_LIMIT).steps();
    }

    private Step commitTheOnlyStep() {
        List<Step> steps = plan();
        assertEquals(1, steps.size(), steps::toString);
        assertTrue(keys.commit(steps.get(0)));
        return steps.get(0);
    }

    private long epoch() {
        return keys.assignments.get(ON_W).createRevision();
    }

    private void release(Phase phase) {
        RunState last = keys.states.get("a").value().orElseThrow();
        keys.release("w", "a", last.withWorker(last.worker(), epoch()).to(phase, NOW, "released"));
    }

    static Stream<Arguments> reasonsToStop() {
        Job.Builder job = Samples.job("a").toBuilder();
        return Stream.of(
                Arguments.of(job.status(JobStatus.KILLED).build(), Phase.KILLED, "killed"),
                Arguments.of(job.status(JobStatus.DELETING).build(), Phase.KILLED, "deleted"),
                Arguments.of(
                        job.status(JobStatus.CREATED)
                                .targetState(TargetState.INACTIVE)
                                .build(),
                        Phase.INACTIVE,
                        "stopped"),
                Arguments.of(
                        job.targetState(TargetState.LAUNCHED).generation(2).build(),
                        Phase.PENDING,
                        "restarted as generation 2"));
    }

    @ParameterizedTest
    @MethodSource("reasonsToStop")
    void unwantedRunIsOrderedToStopOnce(Job job, Phase then, String reason) {
        keys.job(job);
        Step.Stop stop = assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(new KillOrder(epoch(), then, reason), stop.order());
        assertEquals(keys.workers.get("w").lease(), stop.target().lease());
        assertEquals(List.of(), plan());
        keys.state("a", Optional.of(keys.states.get("a").value().orElseThrow().to(Phase.STOPPING, NOW, "stops")));
        keys.job(job.toBuilder().labels(Map.of("touched", "yes")).build());
    }

    @Test
    void stopOrderIsNotRepeatedWhateverElseChanges() {
        keys.job(Job.builder().id("a").status(JobStatus.KILLED).build());
        commitTheOnlyStep();
        keys.job(Job.builder().id("a").generation(3).build());
        keys.cordon("w", Optional.of(Samples.drain("")));
        assertEquals(List.of(), plan());
    }

    @Test
    void orderForAnotherPlacementIsOverwritten() {
        keys.killer("w", "a", Optional.of(new KillOrder(epoch() - 1, Phase.KILLED, "old")), 0);
        assertEquals(List.of(), plan());
        keys.job(Job.builder().id("a").status(JobStatus.KILLED).build());
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
    }

    @Test
    void drainStopsAndCordonDoesNot() {
        keys.cordon("w", Optional.of(Samples.cordon()));
        assertEquals(List.of(), plan());
        keys.cordon("w", Optional.of(Samples.drain("new disk")));
        Step.Stop stop = assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(new KillOrder(epoch(), Phase.PENDING, "worker w drains: new disk"), stop.order());
        keys.worker(Samples.worker("w2"));
        release(Phase.PENDING);
        assertEquals("w2", commitTheOnlyStep().workerId());
    }

    @Test
    void runIsStoppedWhereItsDomainIsServedNoMore() {
        keys.worker(Samples.worker("w", Set.of("other"), OptionalLong.empty()));
        Step.Stop stop = assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals("worker w does not serve domain default", stop.reason());
    }

    @Test
    void smallerCapacityStopsNothing() {
        keys.worker(Samples.worker("w", 0));
        assertEquals(List.of(), plan());
    }

    @Test
    void closingWorkerEndsItsRunsItself() {
        keys.worker(Samples.worker("w").withClosing(true));
        assertEquals(List.of(), plan());
    }

    @Test
    void changeOfTargetStateGoesToTheWorkerWithoutANewPlacement() {
        long epoch = epoch();
        keys.job(Job.builder().id("a").targetState(TargetState.LOADED).build());
        assertInstanceOf(Step.Retarget.class, commitTheOnlyStep());
        assertEquals(
                Optional.of(new Assignment(TargetState.LOADED)),
                keys.assignments.get(ON_W).value());
        assertEquals(epoch, epoch());
        assertEquals(List.of(), plan());
    }

    @Test
    void changeOfLabelsAndWeightDisturbsNothing() {
        keys.job(Job.builder().id("a").labels(Map.of("k", "v")).weight(7).build());
        assertEquals(List.of(), plan());
    }

    @Test
    void deletedJobIsRemovedOnlyOnceItHasNoPlace() {
        keys.job(Job.builder().id("a").status(JobStatus.DELETING).build());
        commitTheOnlyStep();
        assertEquals(List.of(), plan());
        release(Phase.KILLED);
        assertInstanceOf(Step.Remove.class, commitTheOnlyStep());
        assertEquals(Set.of(), keys.jobs.keySet());
        assertEquals(Set.of(), keys.states.keySet());
        assertEquals(Set.of(), state.jobs.keySet());
        assertEquals(List.of(), plan());
    }

    @Test
    void deletedJobOfADeadWorkerIsRemoved() {
        keys.job(Job.builder().id("a").status(JobStatus.DELETING).build());
        commitTheOnlyStep();
        keys.die("w");
        assertInstanceOf(Step.Remove.class, commitTheOnlyStep());
        assertEquals(Set.of(), state.jobs.keySet());
        assertEquals(Set.of(), state.workers.keySet());
    }

    @Test
    void runWithoutARecordIsStoppedAndItsStateRemoved() {
        keys.jobs.remove("a");
        state.job("a", Optional.empty());
        Step.Stop stop = assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals("the job's record is gone", stop.reason());
        release(Phase.KILLED);
        assertEquals("it has no record", commitTheOnlyStep().reason());
        assertEquals(Set.of(), keys.states.keySet());
    }

    @Test
    void unreadableRecordIsLeftAloneUntilItIsMended() {
        keys.job("a", Optional.empty());
        keys.cordon("w", Optional.of(Samples.drain("")));
        assertEquals(List.of(), plan());
        keys.job(Samples.job("a"));
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
    }

    @Test
    void unreadableStateIsLeftAlone() {
        keys.state("a", Optional.empty());
        keys.job(Job.builder().id("a").status(JobStatus.DELETING).build());
        assertEquals(List.of(), plan());
        keys.die("w");
        assertEquals(List.of(), plan());
    }

    @Test
    void unreadableRegistrationTakesNothingAndKeepsWhatItHas() {
        keys.worker("w", Optional.empty());
        keys.job(Samples.job("b"));
        assertEquals(List.of(), plan());
        keys.worker(Samples.worker("w"));
        assertEquals("b", commitTheOnlyStep().jobId());
    }

    @Test
    void unreadableCordonForbidsNewPlacementsAndStopsNothing() {
        keys.corruptCordon("w");
        assertEquals(List.of(), plan());
        keys.job(Samples.job("b"));
        assertEquals(List.of(), plan());
    }

    @Test
    void unreadableAssignmentIsWrittenAgain() {
        keys.assignment("w", "a", Optional.empty());
        assertInstanceOf(Step.Retarget.class, commitTheOnlyStep());
        assertEquals(List.of(), plan());
    }

    @Test
    void unreadableKillOrderIsWrittenAgain() {
        keys.job(Job.builder().id("a").status(JobStatus.KILLED).build());
        commitTheOnlyStep();
        keys.killer("w", "a", Optional.empty(), keys.workers.get("w").lease());
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(List.of(), plan());
    }

    @Test
    void assignmentThatNoStateNamesIsEndedBeforeTheJobIsPlaced() {
        ModelStore.OnWorker onV = new ModelStore.OnWorker("v", "b");
        keys.worker(Samples.worker("v"));
        keys.assignment("v", "b", Optional.of(new Assignment(TargetState.LAUNCHED)));
        keys.job(Samples.job("b"));
        Step.Stop stop = assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(keys.assignments.get(onV).createRevision(), stop.order().epoch());
        assertEquals(List.of(), plan());
        keys.releaseStray(onV);
        assertInstanceOf(Step.Place.class, commitTheOnlyStep());
    }

    @Test
    void assignmentOfNoJobAtAllIsEnded() {
        keys.assignment("w", "nothing", Optional.of(new Assignment(TargetState.LAUNCHED)));
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        keys.releaseStray(new ModelStore.OnWorker("w", "nothing"));
        assertEquals(List.of(), plan());
        assertEquals(Set.of("a"), state.jobs.keySet());
    }

    @Test
    void jobWithAnotherAssignmentOnItsFormerWorkerWaitsUntilThatIsGone() {
        keys.worker(Samples.worker("v"));
        release(Phase.PENDING);
        keys.assignment("w", "a", Optional.of(new Assignment(TargetState.LAUNCHED)));
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(List.of(), plan());
        keys.die("w");
        assertEquals("v", commitTheOnlyStep().workerId());
    }

    @Test
    void deletedJobIsRemovedOnlyOnceNoStrayAssignmentIsLeft() {
        keys.assignment("w", "b", Optional.of(new Assignment(TargetState.LAUNCHED)));
        keys.job(Job.builder().id("b").status(JobStatus.DELETING).build());
        assertInstanceOf(Step.Stop.class, commitTheOnlyStep());
        assertEquals(List.of(), plan());
        keys.releaseStray(new ModelStore.OnWorker("w", "b"));
        assertInstanceOf(Step.Remove.class, commitTheOnlyStep());
    }

    @Test
    void nothingIsSentToALeaseThatIsKnownToBeGone() {
        keys.job(Job.builder().id("a").status(JobStatus.KILLED).build());
        Step.Stop stop = assertInstanceOf(Step.Stop.class, plan().get(0));
        state.lapsed(stop.target());
        state.dropped(stop);
        assertEquals(List.of(), plan());
        keys.die("w");
        assertEquals(List.of(), plan());
    }
}
