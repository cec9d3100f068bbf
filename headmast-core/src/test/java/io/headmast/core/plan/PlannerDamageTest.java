// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Values that can't be read and assignments that only hands can have written, beside job {@code a} on {@code w}. */
final class PlannerDamageTest extends PlannerCase {
    @BeforeEach
    void jobIsPlaced() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        assertInstanceOf(Step.Place.class, commitTheOnlyStep());
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
        release("a", Phase.PENDING);
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
}
