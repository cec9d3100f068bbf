// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
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
final class PlannerStopTest extends PlannerCase {
    private static final ModelStore.OnWorker ON_W = new ModelStore.OnWorker("w", "a");

    @BeforeEach
    void jobIsPlaced() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        assertInstanceOf(Step.Place.class, commitTheOnlyStep());
    }

    private long epoch() {
        return keys.assignments.get(ON_W).createRevision();
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
        keys.job(job.toBuilder().labels(Map.of("touched", "yes")).build());
        assertEquals(List.of(), plan());
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
        release("a", Phase.PENDING);
        Step place = commitTheOnlyStep();
        assertEquals("w2", place.workerId());
        assertEquals("placed by roundbin; before: released", place.reason());
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
        release("a", Phase.KILLED);
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
        release("a", Phase.KILLED);
        assertEquals("it has no record", commitTheOnlyStep().reason());
        assertEquals(Set.of(), keys.states.keySet());
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
