// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Runs that may take only so long. */
class AgentPlannerRunTimeTest {
    private static final String JOB = AgentBench.JOB;
    private static final long EPOCH = AgentBench.EPOCH;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration INSTANT = Duration.ofNanos(1);
    private static final String WHY = "ran longer than maxRunTime 1h";
    private static final Task STOP = new Task.Stop(JOB, EPOCH, WHY);

    private static Job job(RestartPolicy.When when) {
        return Samples.job(JOB).toBuilder()
                .maxRunTime(HOUR)
                .restart(new RestartPolicy(when, Duration.ofSeconds(1), Duration.ofSeconds(5), 2))
                .build();
    }

    private static AgentBench overdue(RestartPolicy.When when) {
        AgentBench bench = AgentBench.running(job(when));
        bench.pass(HOUR);
        assertEquals(STOP, bench.next());
        return bench;
    }

    @Test
    void runThatTakesLongerIsStoppedOnceAndNotBefore() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.NEVER));
        long begun = bench.nanos();
        assertEquals(OptionalLong.of(begun + HOUR.toNanos()), bench.planner.nextWake());

        bench.pass(HOUR.minus(INSTANT));
        assertEquals(List.of(), bench.plan());
        bench.pass(INSTANT);
        assertEquals(List.of(STOP), bench.plan());

        bench.pass(HOUR);
        assertEquals(List.of(), bench.plan());
        assertEquals(OptionalLong.empty(), bench.planner.nextWake());
    }

    @Test
    void thatCountsAsAFailure() {
        AgentBench bench = overdue(RestartPolicy.When.NEVER);
        bench.state.ended(JOB, EPOCH, new Ending(Ending.Kind.STOPPED, WHY, Optional.of(143)));

        RunState written = bench.nextRelease();
        assertEquals(Phase.FAILED, written.phase());
        assertEquals(WHY, written.reason());
        assertEquals(1, written.attempt());
        assertEquals(Optional.of(143), written.exit());
    }

    @Test
    void restartPolicySaysWhatComesNextAndEachAttemptHasItsOwnTime() {
        AgentBench bench = overdue(RestartPolicy.When.ON_FAILURE);
        bench.ended(Ending.Kind.STOPPED);
        Task waits = bench.next();
        assertEquals(
                "attempt 1 ended (" + WHY + "); the next comes after 1s",
                ((Task.Report) waits).state().reason());
        bench.applied(waits, 101);
        bench.pass(Duration.ofSeconds(1));
        assertInstanceOf(Task.Start.class, bench.startAgain());
        bench.runs();

        bench.pass(HOUR.minus(INSTANT));
        assertEquals(List.of(), bench.plan());
        bench.pass(INSTANT);
        assertEquals(List.of(STOP), bench.plan());
        bench.ended(Ending.Kind.STOPPED);
        assertEquals(Phase.FAILED, bench.nextRelease().phase());
    }

    @Test
    void timeThatAStartTakesDoesNotCount() {
        AgentBench bench = AgentBench.starting(job(RestartPolicy.When.NEVER));
        bench.pass(HOUR.multipliedBy(2));
        assertEquals(List.of(), bench.plan());
        bench.runs();

        bench.pass(HOUR.minus(INSTANT));

        assertEquals(List.of(), bench.plan());
    }

    @Test
    void runIsStoppedInTimeThoughAReportIsUnderWay() {
        AgentBench bench = AgentBench.starting(job(RestartPolicy.When.NEVER));
        bench.state.started(JOB, EPOCH);
        assertInstanceOf(Task.Report.class, bench.next());

        bench.pass(HOUR);

        assertEquals(List.of(STOP), bench.plan());
    }

    @Test
    void runThatEndsByItselfJustBeforeItsStopHasCompleted() {
        AgentBench bench = overdue(RestartPolicy.When.NEVER);

        bench.ended(Ending.Kind.COMPLETED);

        assertEquals(Phase.COMPLETED, bench.nextRelease().phase());
    }

    @Test
    void orderThatComesWhileItStopsGoesFirst() {
        AgentBench bench = overdue(RestartPolicy.When.ALWAYS);
        bench.ordered(EPOCH, Phase.KILLED);
        assertEquals(List.of(), bench.plan());

        bench.ended(Ending.Kind.STOPPED);

        assertEquals(Phase.KILLED, bench.nextRelease().phase());
    }

    @Test
    void overdueRunThatMovesTakesItsFailureAlong() {
        AgentBench bench = overdue(RestartPolicy.When.ON_FAILURE);
        bench.ordered(EPOCH, Phase.PENDING);
        bench.plan();

        bench.ended(Ending.Kind.STOPPED);

        RunState written = bench.nextRelease();
        assertEquals(Phase.PENDING, written.phase());
        assertEquals(1, written.attempt());
    }

    @Test
    void handlerThatIgnoresItsStopShowsThat() {
        AgentBench bench = overdue(RestartPolicy.When.NEVER);

        bench.state.stuck(JOB, EPOCH, "its handler does not stop: " + WHY);

        RunState written = bench.nextReport();
        assertEquals(Phase.STOPPING, written.phase());
        assertTrue(written.reason().endsWith(WHY), written.reason());
    }

    @Test
    void changedTimeCountsFromTheNextAttemptOn() {
        AgentBench bench = AgentBench.running(job(RestartPolicy.When.ON_FAILURE));
        bench.job = bench.job.toBuilder().maxRunTime(HOUR.multipliedBy(3)).build();
        bench.pass(HOUR);
        assertEquals(List.of(STOP), bench.plan());
        bench.ended(Ending.Kind.STOPPED);
        bench.applied(bench.next(), 101);
        bench.pass(Duration.ofSeconds(1));
        bench.startAgain();
        bench.runs();

        bench.pass(HOUR.multipliedBy(2));
        assertEquals(List.of(), bench.plan());
        bench.pass(HOUR);

        assertEquals(List.of(new Task.Stop(JOB, EPOCH, "ran longer than maxRunTime 3h")), bench.plan());
    }

    @Test
    void runWithoutALimitIsNeverLookedAtForTheSakeOfTime() {
        AgentBench bench = AgentBench.running(Samples.job(JOB));
        bench.plan();

        assertEquals(OptionalLong.empty(), bench.planner.nextWake());
    }
}
