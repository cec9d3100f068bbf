// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a run that ended by itself, and of one that is only loaded. */
class AgentPlannerRestartTest {
    private static final String JOB = AgentBench.JOB;
    private static final long EPOCH = AgentBench.EPOCH;

    @ParameterizedTest
    @CsvSource({
        "NEVER,      COMPLETED, COMPLETED",
        "NEVER,      FAILED,    FAILED",
        "ON_FAILURE, COMPLETED, COMPLETED",
        "ON_FAILURE, FAILED,    LOADED",
        "ALWAYS,     COMPLETED, LOADED",
        "ALWAYS,     FAILED,    LOADED"
    })
    void policySaysWhetherItRunsAgain(RestartPolicy.When when, Ending.Kind kind, Phase phase) {
        AgentBench bench = AgentBench.running(job(when, 0));

        bench.ended(kind);

        Task task = bench.next();
        RunState written = task instanceof Task.Report report
                ? report.state()
                : ((Task.Release) task).state().orElseThrow();
        assertEquals(phase, written.phase());
        assertEquals(1, written.attempt());
        assertEquals(phase == Phase.LOADED, task instanceof Task.Report);
    }

    @Test
    void pauseGrowsWithEachAttempt() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ON_FAILURE, 0));
        int attempt = 1;
        for (int seconds : new int[] {1, 2, 4, 5, 5}) {
            bench.ended(Ending.Kind.FAILED);
            Task waits = bench.next();
            RunState written = ((Task.Report) waits).state();
            assertEquals(
                    "attempt " + attempt + " ended (it failed); the next comes after " + seconds + "s",
                    written.reason());
            bench.applied(waits, 100 + attempt);
            bench.pass(Duration.ofSeconds(seconds).minusNanos(1));
            assertEquals(List.of(), bench.plan());

            bench.pass(Duration.ofNanos(1));

            attempt++;
            assertEquals(new Task.Start(bench.job, EPOCH, attempt), bench.startAgain());
            bench.runs();
        }
    }

    @Test
    void lastAttemptsFailureIsFinal() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ALWAYS, 2));
        failAndWait(bench);
        bench.runs();

        bench.ended(Ending.Kind.FAILED);

        RunState written = bench.nextRelease();
        assertEquals(Phase.FAILED, written.phase());
        assertEquals("it failed", written.reason());
        assertEquals(2, written.attempt());
    }

    @Test
    void attemptsOnFormerWorkersCount() {
        AgentBench bench = AgentBench.registered();
        bench.job = job(RestartPolicy.When.ON_FAILURE, 2);
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();

        bench.found(AgentBench.scheduled(bench.job).withAttempt(2));

        RunState written = bench.nextRelease();
        assertEquals(Phase.FAILED, written.phase());
        assertEquals("no attempt is left of 2", written.reason());
    }

    @Test
    void runThatWaitsForItsNextAttemptObeysAnOrder() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ON_FAILURE, 0));
        bench.ended(Ending.Kind.FAILED);
        bench.applied(bench.next(), 101);
        bench.plan();

        bench.ordered(EPOCH, Phase.PENDING);

        RunState written = bench.nextRelease();
        assertEquals(Phase.PENDING, written.phase());
        // It failed here, so that counts wherever it goes.
        assertEquals(1, written.attempt());
        bench.released();
        bench.pass(Duration.ofSeconds(10));
        assertEquals(List.of(), bench.plan());
    }

    @Test
    void refusedStartIsHandedBackAndCountsForNothing() {
        AgentBench bench = AgentBench.starting(job(RestartPolicy.When.NEVER, 1));

        bench.ended(Ending.Kind.REFUSED);

        RunState written = bench.nextRelease();
        assertEquals(Phase.PENDING, written.phase());
        assertEquals("worker w handed it back: it refused", written.reason());
        assertEquals(0, written.attempt());
        assertEquals(1, written.handBacks().size());
    }

    @Test
    void refusedStartOfAKilledJobIsKilled() {
        AgentBench bench = AgentBench.starting(job(RestartPolicy.When.NEVER, 1));
        bench.ordered(EPOCH, Phase.KILLED);
        bench.plan();

        bench.ended(Ending.Kind.REFUSED);

        assertEquals(Phase.KILLED, bench.nextRelease().phase());
    }

    @Test
    void targetLoadedStopsWithoutGivingThePlaceUp() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.NEVER, 1));
        bench.assigned(EPOCH, TargetState.LOADED);
        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "target state is loaded")), bench.plan());
        bench.ended(Ending.Kind.STOPPED);
        Task loaded = bench.next();
        assertEquals(Phase.LOADED, ((Task.Report) loaded).state().phase());
        bench.applied(loaded, 101);
        assertEquals(List.of(), bench.plan());

        bench.assigned(EPOCH, TargetState.LAUNCHED);

        // It was told to stop, so that was no attempt: the only one is still left.
        assertEquals(new Task.Start(bench.job, EPOCH, 1), bench.startAgain());
    }

    @Test
    void jobThatIsPlacedAsLoadedIsReportedAndNotStarted() {
        AgentBench bench = AgentBench.registered();
        bench.assigned(EPOCH, TargetState.LOADED);
        bench.plan();

        bench.found(AgentBench.scheduled(bench.job));

        RunState written = assertInstanceOf(Task.Report.class, bench.next()).state();
        assertEquals(Phase.LOADED, written.phase());
        assertEquals(0, written.attempt());
    }

    @Test
    void targetThatChangesBackWhileTheRunStopsStartsItAgain() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.NEVER, 0));
        bench.assigned(EPOCH, TargetState.LOADED);
        bench.plan();
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        assertEquals(List.of(), bench.plan());

        bench.ended(Ending.Kind.STOPPED);

        assertEquals(new Task.Start(bench.job, EPOCH, 1), bench.startAgain());
    }

    @Test
    void changedRecordCountsFromTheNextAttemptOn() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ON_FAILURE, 0));
        bench.job = bench.job.toBuilder()
                .restart(job(RestartPolicy.When.NEVER, 0).restart())
                .build();
        failAndWait(bench);
        bench.runs();

        bench.ended(Ending.Kind.FAILED);

        assertEquals(Phase.FAILED, bench.nextRelease().phase());
    }

    @Test
    void orderThatCameDuringThePauseIsObeyedBeforeTheLeaderPassesItOn() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ON_FAILURE, 0));
        bench.ended(Ending.Kind.FAILED);
        bench.applied(bench.next(), 101);
        bench.pass(Duration.ofSeconds(1));
        bench.job = bench.job.toBuilder().status(JobStatus.KILLED).build();

        Task.Release release = assertInstanceOf(Task.Release.class, bench.startAgain());

        assertEquals(Phase.KILLED, release.state().orElseThrow().phase());
    }

    @Test
    void runThatWasStoppedByNobodyHereIsNotStartedAgainAtOnce() {
        AgentBench bench = AgentBench.starting(job(RestartPolicy.When.NEVER, 1));

        bench.ended(Ending.Kind.STOPPED);

        Task loaded = bench.next();
        assertEquals(Phase.LOADED, ((Task.Report) loaded).state().phase());
        bench.applied(loaded, 101);
        assertEquals(List.of(), bench.plan());
        bench.pass(Duration.ofSeconds(1));
        assertEquals(new Task.Start(bench.job, EPOCH, 1), bench.startAgain());
    }

    private static void failAndWait(AgentBench bench) {
        bench.ended(Ending.Kind.FAILED);
        bench.applied(bench.next(), 101);
        bench.pass(Duration.ofSeconds(1));
        assertInstanceOf(Task.Start.class, bench.startAgain());
    }

    private static Job job(RestartPolicy.When when, int maxAttempts) {
        return Samples.job(JOB).toBuilder()
                .restart(new RestartPolicy(when, Duration.ofSeconds(1), Duration.ofSeconds(5), maxAttempts))
                .build();
    }
}
