// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How runs that go on by themselves are ended: by an order, with their lease, or with the worker. */
class AgentPlannerEndTest {
    private static final String JOB = AgentBench.JOB;
    private static final long EPOCH = AgentBench.EPOCH;
    private static final long NEXT_EPOCH = 90;

    private final AgentBench bench = AgentBench.running(Samples.job(JOB));

    @ParameterizedTest
    @EnumSource(names = {"KILLED", "INACTIVE", "PENDING"})
    void orderedRunIsStoppedAndThenReleasedWithTheOrdersPhase(Phase then) {
        bench.ordered(EPOCH, then);
        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "told to")), bench.plan());
        assertEquals(List.of(), bench.plan());

        bench.ended(Ending.Kind.STOPPED);

        RunState written = bench.nextRelease();
        assertEquals(then, written.phase());
        assertEquals("told to", written.reason());
        assertEquals(EPOCH, written.epoch());
        // A run that moves was not at fault.
        assertEquals(then == Phase.PENDING ? 0 : 1, written.attempt());
    }

    @Test
    void orderForAnotherEpochIsIgnored() {
        bench.ordered(EPOCH - 1, Phase.KILLED);
        bench.ordered(EPOCH + 1, Phase.KILLED);

        assertEquals(List.of(), bench.plan());
    }

    @Test
    void unreadableOrderIsIgnored() {
        bench.state.killer(JOB, Optional.of(44L), Optional.empty());

        assertEquals(List.of(), bench.plan());
    }

    @Test
    void orderThatComesWhileTheRunStartsStopsIt() {
        AgentBench starting = AgentBench.starting(Samples.job(JOB));
        starting.ordered(EPOCH, Phase.KILLED);

        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "told to")), starting.plan());
        starting.state.started(JOB, EPOCH);
        assertEquals(List.of(), starting.plan());
    }

    @Test
    void orderThatComesBeforeTheStartPreventsIt() {
        AgentBench assigned = AgentBench.registered();
        assigned.assigned(EPOCH, TargetState.LAUNCHED);
        assigned.plan();
        assigned.ordered(EPOCH, Phase.KILLED);

        assigned.found(AgentBench.scheduled(assigned.job));

        assertEquals(Phase.KILLED, assigned.nextRelease().phase());
    }

    @Test
    void runThatEndedByItselfIsKilledIfThatWasOrderedMeanwhile() {
        bench.ended(Ending.Kind.COMPLETED);
        bench.ordered(EPOCH, Phase.KILLED);

        assertEquals(Phase.KILLED, bench.nextRelease().phase());
    }

    @Test
    void runThatEndedByItselfIsNotMovedOnItsWay() {
        bench.ended(Ending.Kind.COMPLETED);
        bench.ordered(EPOCH, Phase.PENDING);

        assertEquals(Phase.COMPLETED, bench.nextRelease().phase());
    }

    @Test
    void supersededRunEndsBeforeItsSuccessorIsRead() {
        bench.assigned(NEXT_EPOCH, TargetState.LAUNCHED);
        Task.Stop stop = assertInstanceOf(Task.Stop.class, bench.next());
        assertEquals(EPOCH, stop.epoch());
        assertEquals(List.of(), bench.plan());

        bench.ended(Ending.Kind.STOPPED);

        assertEquals(List.of(new Task.Read(JOB, NEXT_EPOCH)), bench.plan());
    }

    @Test
    void orderForTheSuccessorDoesNotStopThePredecessorTwice() {
        bench.assigned(NEXT_EPOCH, TargetState.LAUNCHED);
        bench.plan();
        bench.ordered(NEXT_EPOCH, Phase.KILLED);

        assertEquals(List.of(), bench.plan());
    }

    @Test
    void runWhoseAssignmentIsGoneIsStoppedAndForgotten() {
        bench.unassigned();
        assertInstanceOf(Task.Stop.class, bench.next());
        assertFalse(bench.state.isEmpty());

        bench.ended(Ending.Kind.STOPPED);

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());
    }

    @Test
    void endOfTheSessionStopsEverythingAndWritesNothing() {
        bench.state.sessionEnded();
        assertInstanceOf(Task.Stop.class, bench.next());
        assertFalse(bench.state.isIdle());

        bench.ended(Ending.Kind.STOPPED);

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isIdle());
    }

    @Test
    void whatWasAssignedInAnEndedSessionIsVoidInTheNext() {
        bench.state.sessionEnded();
        bench.plan();
        bench.ended(Ending.Kind.STOPPED);
        bench.plan();

        bench.state.sessionBegun(new Session("w", AgentBench.LEASE + 1, 100, 100));
        assertEquals(List.of(), bench.plan());
        bench.unassigned();
        bench.state.advance(100);

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());
    }

    @Test
    void closingStopsAndHandsBackAndStartsNothing() {
        bench.state.close();
        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "the worker closes")), bench.plan());
        bench.ended(Ending.Kind.STOPPED);
        RunState written = bench.nextRelease();
        assertEquals(Phase.PENDING, written.phase());
        assertEquals("worker closed", written.reason());
        assertEquals(0, written.attempt());
        assertEquals(List.of(), written.handBacks());
        bench.released();
        bench.unassigned();
        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());

        bench.assigned(NEXT_EPOCH, TargetState.LAUNCHED);
        assertEquals(List.of(new Task.Read(JOB, NEXT_EPOCH)), bench.plan());
        bench.state.read(
                JOB,
                NEXT_EPOCH,
                new Reading(
                        NEXT_EPOCH,
                        Optional.of(bench.job),
                        Optional.of(AgentBench.scheduled(bench.job)),
                        NEXT_EPOCH,
                        Optional.empty()));

        assertEquals(Phase.PENDING, bench.nextRelease().phase());
    }

    @Test
    void runThatCompletesWhileTheWorkerClosesIsCompleted() {
        bench.state.close();
        bench.plan();

        bench.ended(Ending.Kind.COMPLETED);

        assertEquals(Phase.COMPLETED, bench.nextRelease().phase());
    }

    @Test
    void releasedEpochNeverStartsAgainWhateverTheMirrorShows() {
        bench.ordered(EPOCH, Phase.PENDING);
        bench.plan();
        bench.ended(Ending.Kind.STOPPED);
        bench.plan();

        bench.state.writeFailed(JOB, EPOCH);
        assertEquals(List.of(new Task.Read(JOB, EPOCH)), bench.plan());
        bench.found(AgentBench.scheduled(bench.job).withWorker(Optional.of("w"), EPOCH), 60);
        Task.Release again = assertInstanceOf(Task.Release.class, bench.next());
        assertEquals(60, again.stateRevision());
        bench.released();
        bench.assigned(EPOCH, TargetState.LAUNCHED);

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isIdle());
    }

    @Test
    void releaseThatWasAppliedUnseenIsNotSentAgain() {
        bench.ordered(EPOCH, Phase.KILLED);
        bench.plan();
        bench.ended(Ending.Kind.STOPPED);
        bench.plan();
        bench.state.writeFailed(JOB, EPOCH);
        bench.plan();

        bench.state.read(JOB, EPOCH, new Reading(0, Optional.empty(), Optional.empty(), 0, Optional.empty()));
        assertEquals(List.of(), bench.plan());
        bench.unassigned();

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());
    }

    @Test
    void strayOrderIsDropped() {
        AgentBench empty = AgentBench.registered();
        empty.ordered(EPOCH, Phase.KILLED);

        assertEquals(List.of(new Task.DropKiller(JOB, 11)), empty.plan());
        empty.state.touch(JOB);
        assertEquals(List.of(new Task.DropKiller(JOB, 11)), empty.plan());
    }
}
