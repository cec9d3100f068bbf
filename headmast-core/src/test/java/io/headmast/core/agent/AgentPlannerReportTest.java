// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a worker writes about a run, and what it does when a write comes to nothing. */
class AgentPlannerReportTest {
    private static final String JOB = AgentBench.JOB;
    private static final long EPOCH = AgentBench.EPOCH;

    @Test
    void startIsReportedUnderThePlacementsRevision() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));

        bench.state.started(JOB, EPOCH);

        Task.Report report = assertInstanceOf(Task.Report.class, bench.next());
        assertEquals(EPOCH, report.epoch());
        assertEquals(EPOCH, report.stateRevision());
        assertEquals(Phase.RUNNING, report.state().phase());
        assertEquals(EPOCH, report.state().epoch());
        assertEquals(1, report.state().attempt());
        assertEquals(bench.now, report.state().since());
    }

    @Test
    void nextReportComparesWhatTheLastOneWrote() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));
        bench.state.started(JOB, EPOCH);
        Task first = bench.next();
        bench.state.progressed(JOB, EPOCH, "half");
        assertEquals(List.of(), bench.plan());

        bench.applied(first, 77);
        bench.pass(Duration.ofSeconds(1));

        Task.Report second = assertInstanceOf(Task.Report.class, bench.next());
        assertEquals(77, second.stateRevision());
        assertEquals(Optional.of("half"), second.state().progress());
    }

    @Test
    void progressIsWrittenNowAndThenAndTheLatestWins() {
        AgentBench bench = AgentBench.running(Samples.job(JOB));
        Instant since = bench.now;
        for (int i = 0; i < 100; i++) {
            bench.state.progressed(JOB, EPOCH, i + " %");
            assertEquals(List.of(), bench.plan());
        }
        assertTrue(bench.planner.nextWake().isPresent());

        bench.pass(Duration.ofSeconds(1));

        RunState written = bench.nextReport();
        assertEquals(Optional.of("99 %"), written.progress());
        assertEquals(since, written.since());
    }

    @Test
    void reportOfUnknownOutcomeIsReadAndSentAgainUnlessItWasApplied() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));
        bench.state.started(JOB, EPOCH);
        Task.Report report = assertInstanceOf(Task.Report.class, bench.next());

        bench.state.writeFailed(JOB, EPOCH);
        assertEquals(List.of(new Task.Read(JOB, EPOCH)), bench.plan());
        bench.found(AgentBench.scheduled(bench.job));
        assertEquals(report, bench.next());
        bench.state.writeFailed(JOB, EPOCH);
        bench.plan();
        bench.found(report.state(), 66);

        assertEquals(List.of(), bench.plan());
    }

    @Test
    void runWhoseAssignmentIsFoundGoneIsStoppedBeforeTheMirrorShowsIt() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));
        bench.state.started(JOB, EPOCH);
        bench.plan();
        bench.state.writeFailed(JOB, EPOCH);
        bench.plan();

        bench.state.read(JOB, EPOCH, new Reading(99, Optional.empty(), Optional.empty(), 0, Optional.empty()));
        assertInstanceOf(Task.Stop.class, bench.next());
        bench.ended(Ending.Kind.STOPPED);

        assertEquals(List.of(), bench.plan());
        bench.unassigned();
        assertEquals(List.of(), bench.plan());
        assertTrue(bench.state.isEmpty());
    }

    @Test
    void runWhoseStateWasTakenAwayStopsAndReleasesTheAssignmentAlone() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));
        bench.state.started(JOB, EPOCH);
        bench.plan();
        bench.state.writeFailed(JOB, EPOCH);
        bench.plan();

        bench.state.read(JOB, EPOCH, new Reading(EPOCH, Optional.of(bench.job), Optional.empty(), 0, Optional.empty()));
        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "its state was taken away")), bench.plan());
        bench.state.stuck(JOB, EPOCH, "it does not stop");
        assertEquals(List.of(), bench.plan());
        bench.ended(Ending.Kind.STOPPED);

        assertEquals(List.of(new Task.Release(JOB, EPOCH, 0, Optional.empty())), bench.plan());
    }

    @Test
    void runThatDoesNotStopIsReportedAsStopping() {
        AgentBench bench = AgentBench.running(Samples.job(JOB));
        bench.ordered(EPOCH, Phase.KILLED);
        bench.plan();

        bench.state.stuck(JOB, EPOCH, "it does not stop");
        Task report = bench.next();
        assertEquals(Phase.STOPPING, ((Task.Report) report).state().phase());
        assertEquals("it does not stop", ((Task.Report) report).state().reason());
        bench.applied(report, 70);
        bench.state.stuck(JOB, EPOCH, "it does not stop");
        assertEquals(List.of(), bench.plan());
        bench.ended(Ending.Kind.STOPPED);

        Task.Release release = assertInstanceOf(Task.Release.class, bench.next());
        assertEquals(70, release.stateRevision());
        assertEquals(Phase.KILLED, release.state().orElseThrow().phase());
    }

    @Test
    void complaintThatCameTooLateIsForgotten() {
        AgentBench bench = AgentBench.running(Samples.job(JOB));
        bench.state.stuck(JOB, EPOCH, "it does not stop");
        bench.ordered(EPOCH, Phase.KILLED);

        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "told to")), bench.plan());
        assertEquals(List.of(), bench.plan());
    }

    @Test
    void endThatComesWhileAReportIsUnderWayWaitsForItsOutcome() {
        AgentBench bench = AgentBench.starting(Samples.job(JOB));
        bench.state.started(JOB, EPOCH);
        Task report = bench.next();
        bench.ended(Ending.Kind.COMPLETED);
        assertEquals(List.of(), bench.plan());

        bench.applied(report, 55);

        Task.Release release = assertInstanceOf(Task.Release.class, bench.next());
        assertEquals(55, release.stateRevision());
        assertEquals(Phase.COMPLETED, release.state().orElseThrow().phase());
    }

    @Test
    void exitCodeAndProgressAreKeptInTheFinalState() {
        AgentBench bench = AgentBench.running(Samples.job(JOB));
        bench.state.progressed(JOB, EPOCH, "done it all");
        bench.state.ended(JOB, EPOCH, new Ending(Ending.Kind.COMPLETED, "completed", Optional.of(0)));

        RunState written = bench.nextRelease();

        assertEquals(Optional.of(0), written.exit());
        assertEquals(Optional.of("done it all"), written.progress());
    }
}
