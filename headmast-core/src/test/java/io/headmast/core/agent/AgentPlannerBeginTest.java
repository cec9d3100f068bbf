// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** From an assignment to a start, or to handing it back. */
class AgentPlannerBeginTest {
    private static final String JOB = AgentBench.JOB;
    private static final long EPOCH = AgentBench.EPOCH;

    private final AgentBench bench = AgentBench.registered();

    @Test
    void assignmentIsReadAndThenStarted() {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        assertEquals(List.of(new Task.Read(JOB, EPOCH)), bench.plan());
        assertEquals(List.of(), bench.plan());

        bench.found(AgentBench.scheduled(bench.job));

        assertEquals(List.of(new Task.Start(bench.job, EPOCH, 1)), bench.plan());
        assertEquals(List.of(JOB), bench.state.launchedJobs());
    }

    @Test
    void failedReadIsReadAgain() {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.state.readFailed(JOB, EPOCH);

        assertEquals(List.of(new Task.Read(JOB, EPOCH)), bench.plan());
    }

    @ParameterizedTest
    @MethodSource("recordsThatForbidAStart")
    void recordIsReadAgainBeforeTheStart(Optional<Job> record, Phase then, String reason) {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.state.read(
                JOB,
                EPOCH,
                new Reading(EPOCH, record, Optional.of(AgentBench.scheduled(bench.job)), EPOCH, Optional.empty()));

        Task.Release release = assertInstanceOf(Task.Release.class, bench.next());
        assertEquals(EPOCH, release.epoch());
        assertEquals(EPOCH, release.stateRevision());
        assertEquals(then, release.state().orElseThrow().phase());
        assertEquals(reason, release.state().orElseThrow().reason());
        assertEquals(0, release.state().orElseThrow().attempt());
        assertEquals(EPOCH, release.state().orElseThrow().epoch());
    }

    static Stream<Arguments> recordsThatForbidAStart() {
        Job.Builder job = Samples.job(JOB).toBuilder();
        return Stream.of(
                Arguments.of(Optional.empty(), Phase.KILLED, "the job's record is gone or can't be read"),
                Arguments.of(
                        Optional.of(job.status(JobStatus.KILLED).build()), Phase.KILLED, "killed before it started"),
                Arguments.of(
                        Optional.of(job.status(JobStatus.DELETING).build()), Phase.KILLED, "killed before it started"),
                Arguments.of(
                        Optional.of(job.status(JobStatus.CREATED)
                                .targetState(TargetState.INACTIVE)
                                .build()),
                        Phase.INACTIVE,
                        "stopped before it started"),
                Arguments.of(
                        Optional.of(job.targetState(TargetState.LAUNCHED)
                                .generation(2)
                                .build()),
                        Phase.PENDING,
                        "a newer generation was asked for before it started"));
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 2", "1, 2, 4", "2, 3, 8", "7, 8, 256", "8, 9, 300", "40, 41, 300"})
    void whatTheWorkerCannotRunIsHandedBackWithAGrowingPause(int before, int times, int seconds) {
        RunState.HandBack other = new RunState.HandBack("v", 1, 1, bench.now, "no room");
        RunState.HandBack own = new RunState.HandBack("w", 2, Math.max(1, before), bench.now, "no room");
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.state.read(
                JOB,
                EPOCH,
                new Reading(
                        EPOCH,
                        Optional.of(bench.job),
                        Optional.of(AgentBench.scheduled(bench.job)
                                .withHandBacks(before == 0 ? List.of(other) : List.of(other, own))),
                        EPOCH,
                        Optional.of("no handler")));

        RunState written = bench.nextRelease();
        assertEquals(Phase.PENDING, written.phase());
        assertEquals("worker w handed it back: no handler", written.reason());
        assertEquals(
                List.of(
                        other,
                        new RunState.HandBack(
                                "w", 3, times, bench.now.plus(Duration.ofSeconds(seconds)), "no handler")),
                written.handBacks());
    }

    @Test
    void stateOfAnotherPlacementIsLeftAlone() {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.found(AgentBench.scheduled(bench.job), EPOCH + 1);

        assertEquals(List.of(new Task.Release(JOB, EPOCH, EPOCH + 1, Optional.empty())), bench.plan());
    }

    @Test
    void unreadableStateIsLeftAlone() {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.state.read(
                JOB, EPOCH, new Reading(EPOCH, Optional.of(bench.job), Optional.empty(), 30, Optional.empty()));

        assertEquals(List.of(new Task.Release(JOB, EPOCH, 30, Optional.empty())), bench.plan());
    }

    @Test
    void unreadableAssignmentStandsForLaunched() {
        bench.assigned(EPOCH, AgentBench.LEASE, Optional.empty());
        bench.plan();

        bench.found(AgentBench.scheduled(bench.job));

        assertInstanceOf(Task.Start.class, bench.next());
    }

    @Test
    void nothingStartsBeforeTheMirrorHasComeToTheRegistration() {
        AgentBench late = new AgentBench();
        late.assigned(5, TargetState.LAUNCHED);
        late.state.sessionBegun(new Session("w", AgentBench.LEASE, 3, 50));
        assertEquals(List.of(), late.plan());

        late.state.assignment(JOB, Optional.empty());
        late.state.assignment("k", Optional.of(new AgentState.Assigned(40, AgentBench.LEASE, Optional.empty())));
        late.state.advance(49);
        assertEquals(List.of(), late.plan());
        late.state.advance(50);

        assertEquals(List.of(new Task.Read("k", 40)), late.plan());
    }

    @Test
    void assignmentOfAPredecessorIsClaimedBeforeItStarts() {
        AgentBench restarted = AgentBench.registeredAt(50);
        restarted.assigned(EPOCH, TargetState.LAUNCHED);
        restarted.plan();

        restarted.found(ran(2), 33);

        Task.Report claim = assertInstanceOf(Task.Report.class, restarted.next());
        assertEquals(33, claim.stateRevision());
        assertEquals(Phase.LOADED, claim.state().phase());
        restarted.state.writeFailed(JOB, EPOCH);
        assertEquals(List.of(new Task.Read(JOB, EPOCH)), restarted.plan());
        restarted.found(ran(2), 34);
        Task.Report second = assertInstanceOf(Task.Report.class, restarted.next());
        assertEquals(34, second.stateRevision());
        restarted.applied(second, 51);
        // The life that ended with the predecessor counts as an attempt.
        assertEquals(List.of(new Task.Start(restarted.job, EPOCH, 3)), restarted.plan());
    }

    @Test
    void lifeOfAPredecessorThatReportedNothingCountsAsAnAttempt() {
        AgentBench restarted = AgentBench.registeredAt(50);
        restarted.assigned(EPOCH, TargetState.LAUNCHED);
        restarted.plan();

        restarted.found(AgentBench.scheduled(restarted.job));

        Task claim = restarted.next();
        assertEquals(1, ((Task.Report) claim).state().attempt());
        restarted.applied(claim, 51);
        assertEquals(List.of(new Task.Start(restarted.job, EPOCH, 2)), restarted.plan());
    }

    @Test
    void assignmentOnAnotherLeaseBelongsToWhoeverHasThatLease() {
        bench.assigned(EPOCH, AgentBench.LEASE + 1, Optional.empty());
        bench.ordered(EPOCH, Phase.KILLED);

        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());
    }

    @Test
    void oneJobsCorruptValuesDisturbNoOther() {
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.state.assignment("k", Optional.of(new AgentState.Assigned(21, AgentBench.LEASE, Optional.empty())));
        bench.state.killer("k", Optional.of(22L), Optional.empty());
        assertEquals(List.of(new Task.Read(JOB, EPOCH), new Task.Read("k", 21)), bench.plan());

        bench.state.read("k", 21, new Reading(21, Optional.empty(), Optional.empty(), 0, Optional.empty()));
        bench.found(AgentBench.scheduled(bench.job));

        assertEquals(
                List.of(new Task.Release("k", 21, 0, Optional.empty()), new Task.Start(bench.job, EPOCH, 1)),
                bench.plan());
    }

    private RunState ran(int attempt) {
        return AgentBench.scheduled(bench.job)
                .to(Phase.RUNNING, bench.now, "started")
                .withWorker(Optional.of("w"), EPOCH)
                .withAttempt(attempt);
    }
}
