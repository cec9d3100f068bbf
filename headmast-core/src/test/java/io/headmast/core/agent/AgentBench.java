// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A registered worker's state and planner, with the job {@code j} at hand, told what happens in few words. */
final class AgentBench {
    static final String JOB = "j";
    static final long LEASE = 7;
    static final long EPOCH = 20;

    final AgentState state = new AgentState();
    final AgentPlanner planner = new AgentPlanner(state);
    Job job = Samples.job(JOB);
    Instant now = Instant.parse("2020-01-01T00:00:00Z");
    private long nanos = 5;
    private long revision = 10;
    private RunState written = scheduled(job);
    private long writtenAt = EPOCH;

    /** A worker that is registered and whose mirror has come to that. */
    static AgentBench registered() {
        return registeredAt(10);
    }

    /** The same, with a registration that it took over or made at that revision. */
    static AgentBench registeredAt(long revision) {
        AgentBench bench = new AgentBench();
        bench.revision = revision;
        bench.state.sessionBegun(new Session("w", LEASE, 3, revision));
        bench.state.advance(revision);
        return bench;
    }

    /** A registered worker on which the job runs, as its state says. */
    static AgentBench running(Job job) {
        AgentBench bench = starting(job);
        bench.runs();
        return bench;
    }

    /** A registered worker that was told to start the job. */
    static AgentBench starting(Job job) {
        AgentBench bench = registered();
        bench.job = job;
        bench.assigned(EPOCH, TargetState.LAUNCHED);
        bench.plan();
        bench.found(scheduled(job));
        bench.plan();
        return bench;
    }

    /** What the leader writes when it places a job. */
    static RunState scheduled(Job job) {
        return RunState.unplaced(Phase.SCHEDULED, job.generation(), 0, Instant.EPOCH, "placed")
                .withWorker(Optional.of("w"), 0);
    }

    List<Task> plan() {
        return planner.plan(nanos, now);
    }

    /** The only task that follows. */
    Task next() {
        List<Task> tasks = plan();
        if (tasks.size() != 1) {
            throw new AssertionError("not one task: " + tasks);
        }
        return tasks.get(0);
    }

    /** What the release that follows writes. */
    RunState nextRelease() {
        return ((Task.Release) next()).state().orElseThrow();
    }

    /** What the report that follows writes. */
    RunState nextReport() {
        return ((Task.Report) next()).state();
    }

    long nanos() {
        return nanos;
    }

    void pass(Duration time) {
        nanos += time.toNanos();
        now = now.plus(time);
    }

    void assigned(long epoch, TargetState target) {
        assigned(epoch, LEASE, Optional.of(new Assignment(target)));
    }

    void assigned(long epoch, long lease, Optional<Assignment> value) {
        state.assignment(JOB, Optional.of(new AgentState.Assigned(epoch, lease, value)));
        state.advance(++revision);
    }

    void unassigned() {
        state.assignment(JOB, Optional.empty());
        state.killer(JOB, Optional.empty(), Optional.empty());
        state.advance(++revision);
    }

    void ordered(long epoch, Phase then) {
        state.killer(JOB, Optional.of(++revision), Optional.of(new KillOrder(epoch, then, "told to")));
        state.advance(revision);
    }

    /** The read finds the job's record and that state, as the leader wrote it at the placement. */
    void found(RunState placed) {
        found(placed, EPOCH);
    }

    void found(RunState placed, long stateRevision) {
        state.read(
                JOB, EPOCH, new Reading(EPOCH, Optional.of(job), Optional.of(placed), stateRevision, Optional.empty()));
    }

    /** The start of a further attempt, which follows once the records were read again; they are as last written. */
    Task startAgain() {
        if (!next().equals(new Task.Read(JOB, EPOCH))) {
            throw new AssertionError("does not read the record again");
        }
        found(written, writtenAt);
        return next();
    }

    /** The worker carries the report out at that revision. */
    void applied(Task report, long at) {
        written = ((Task.Report) report).state();
        writtenAt = at;
        state.reported((Task.Report) report, at);
    }

    /** The work has begun, and that was reported. */
    void runs() {
        state.started(JOB, EPOCH);
        applied(next(), ++revision);
        plan();
    }

    void ended(Ending.Kind kind) {
        state.ended(JOB, EPOCH, new Ending(kind, "it " + kind.name().toLowerCase(Locale.ROOT), Optional.empty()));
    }

    void released() {
        state.released(JOB, EPOCH);
    }
}
