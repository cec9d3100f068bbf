// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The keys that concern one worker as plain maps with revisions: what a leader does to them, what the worker's writes do
 * under their compares, and the changes that the worker's mirror has not seen yet. Every change takes a revision.
 */
final class AgentKeys {
    static final String WORKER = "w";

    /** A key's value with its revisions. */
    record Kept<T>(T value, long created, long modified) {}

    final TreeMap<String, Kept<TargetState>> assignments = new TreeMap<>();
    final TreeMap<String, Kept<KillOrder>> killers = new TreeMap<>();
    final TreeMap<String, Kept<RunState>> states = new TreeMap<>();
    final TreeMap<String, Job> jobs = new TreeMap<>();

    /** Writes that their senders have given up and that arrive all the same. */
    final List<Task> late = new ArrayList<>();

    private final Deque<Unseen> unseen = new ArrayDeque<>();
    private long revision = 1;
    private long lease;

    private record Unseen(long revision, Consumer<AgentState> change) {}

    long revision() {
        return revision;
    }

    /** Whether the worker's lease lives, so that a leader may place on it. */
    boolean isAlive() {
        return lease != 0;
    }

    /** The job is placed if it should be and isn't. */
    void place(String id) {
        Job job = jobs.get(id);
        Kept<RunState> last = states.get(id);
        Optional<RunState> before =
                Optional.ofNullable(last).map(Kept::value).filter(state -> state.generation() == job.generation());
        boolean over = before.filter(state -> state.phase().isTerminal()).isPresent();
        if (!isAlive() || assignments.containsKey(id) || !job.wantsPlacement() || over) {
            return;
        }
        RunState next = RunState.unplaced(
                        Phase.SCHEDULED,
                        job.generation(),
                        before.map(RunState::attempt).orElse(0),
                        Instant.EPOCH,
                        "placed")
                .withWorker(Optional.of(WORKER), 0);
        revision++;
        states.put(id, new Kept<>(next, last == null ? revision : last.created(), revision));
        assign(id, new Kept<>(job.targetState(), revision, revision));
    }

    /** The placement is ended if the job's record says so, or because it is to move. */
    void stop(String id, boolean move) {
        Kept<TargetState> assignment = assignments.get(id);
        Optional<Phase> then = wantedEnd(id).or(() -> move ? Optional.of(Phase.PENDING) : Optional.empty());
        if (assignment == null || then.isEmpty()) {
            return;
        }
        revision++;
        KillOrder order = new KillOrder(assignment.created(), then.get(), "told to");
        killers.put(id, new Kept<>(order, revision, revision));
        long at = revision;
        show(state -> state.killer(id, Optional.of(at), Optional.of(order)));
    }

    private Optional<Phase> wantedEnd(String id) {
        Job job = jobs.get(id);
        if (job.status() != JobStatus.CREATED) {
            return Optional.of(Phase.KILLED);
        }
        if (job.targetState() == TargetState.INACTIVE) {
            return Optional.of(Phase.INACTIVE);
        }
        long generation = states.get(id) == null ? 1 : states.get(id).value().generation();
        return job.generation() > generation ? Optional.of(Phase.PENDING) : Optional.empty();
    }

    /** The assignment follows the record's target. */
    void retarget(String id) {
        Kept<TargetState> assignment = assignments.get(id);
        TargetState wanted = jobs.get(id).targetState();
        if (assignment != null && wanted != TargetState.INACTIVE && wanted != assignment.value()) {
            revision++;
            assign(id, new Kept<>(wanted, assignment.created(), revision));
        }
    }

    /** Somebody deletes the assignment by hand. */
    void snatch(String id) {
        if (assignments.containsKey(id)) {
            revision++;
            delete(id);
        }
    }

    /** The worker registers, on a new lease unless it takes the old one over; returns its session. */
    Session register() {
        revision++;
        if (lease == 0) {
            lease = revision;
        }
        show(state -> {});
        return new Session(WORKER, lease, lease, revision);
    }

    /** The lease ends, and all that is on it. */
    void lapse() {
        revision++;
        lease = 0;
        for (String id : jobs.keySet()) {
            delete(id);
        }
    }

    Reading read(String id, Optional<String> refusal) {
        Kept<RunState> state = states.get(id);
        return new Reading(
                assignments.containsKey(id) ? assignments.get(id).created() : 0,
                Optional.of(jobs.get(id)),
                Optional.ofNullable(state).map(Kept::value),
                state == null ? 0 : state.modified(),
                refusal);
    }

    /** Carries a write out, if its compares hold; the revision, or 0 if they don't. */
    long write(Task task) {
        if (task instanceof Task.Report report && isOurs(report.jobId(), report.epoch(), report.stateRevision())) {
            put(report.jobId(), report.state());
            return revision;
        }
        if (task instanceof Task.Release release && isReleasable(release)) {
            revision++;
            release.state().ifPresent(state -> {
                revision--;
                put(release.jobId(), state);
            });
            delete(release.jobId());
            return revision;
        }
        if (task instanceof Task.DropKiller drop
                && killers.containsKey(drop.jobId())
                && killers.get(drop.jobId()).modified() == drop.killerRevision()) {
            revision++;
            killers.remove(drop.jobId());
            show(state -> state.killer(drop.jobId(), Optional.empty(), Optional.empty()));
            return revision;
        }
        return 0;
    }

    private boolean isReleasable(Task.Release release) {
        return release.state().isPresent()
                ? isOurs(release.jobId(), release.epoch(), release.stateRevision())
                : isAssigned(release.jobId(), release.epoch());
    }

    boolean isAssigned(String id, long epoch) {
        return assignments.containsKey(id) && assignments.get(id).created() == epoch;
    }

    private boolean isOurs(String id, long epoch, long stateRevision) {
        return isAssigned(id, epoch) && states.get(id).modified() == stateRevision;
    }

    private void put(String id, RunState value) {
        revision++;
        states.put(id, new Kept<>(value, states.get(id).created(), revision));
    }

    private void assign(String id, Kept<TargetState> assignment) {
        assignments.put(id, assignment);
        show(state -> state.assignment(id, shown(assignment)));
    }

    private void delete(String id) {
        assignments.remove(id);
        killers.remove(id);
        show(state -> {
            state.assignment(id, Optional.empty());
            state.killer(id, Optional.empty(), Optional.empty());
        });
    }

    private Optional<AgentState.Assigned> shown(Kept<TargetState> kept) {
        return Optional.of(new AgentState.Assigned(kept.created(), lease, Optional.of(new Assignment(kept.value()))));
    }

    private void show(Consumer<AgentState> change) {
        unseen.add(new Unseen(revision, change));
    }

    /** The mirror of a worker sees the changes of one more revision; whether there was one. */
    boolean reveal(AgentState state) {
        Unseen first = unseen.peek();
        if (first == null) {
            return false;
        }
        while (!unseen.isEmpty() && unseen.peek().revision() == first.revision()) {
            unseen.remove().change().accept(state);
        }
        state.advance(first.revision());
        return true;
    }

    /** A mirror begins with everything that is there. */
    void list(AgentState state) {
        unseen.clear();
        assignments.forEach((id, kept) -> state.assignment(id, shown(kept)));
        killers.forEach((id, kept) -> state.killer(id, Optional.of(kept.modified()), Optional.of(kept.value())));
        state.advance(revision);
    }
}
