// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Assignment;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a worker should run (assignments and kill orders, from its mirror) beside what it does run. Telling it what
 * changed is all the input; what is to be done is derived by {@link AgentPlanner}, for the runs that something changed
 * for. So an order that was lost, late or repeated makes no difference.
 *
 * <p>Pure and not thread-safe: it belongs to the agent's loop. The seed's {@code AgentState} was guarded by a lock.
 */
public final class AgentState {
    final NavigableMap<String, Run> runs = new TreeMap<>();
    private final NavigableMap<String, Assigned> assignments = new TreeMap<>();
    private final NavigableMap<String, Ordered> killers = new TreeMap<>();
    private final Set<String> dirty = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean closing;
    private long revision;

    /**
     * An assignment as the mirror shows it.
     *
     * @param epoch its create revision
     * @param lease the lease it is on
     * @param value empty if that can't be read
     */
    public record Assigned(long epoch, long lease, Optional<Assignment> value) {}

    /** A kill order as the mirror shows it; without a value if that can't be read. */
    record Ordered(long revision, Optional<KillOrder> value) {}

    /** The mirror shows this assignment, or none. */
    public void assignment(String jobId, Optional<Assigned> shown) {
        shown.ifPresentOrElse(found -> assignments.put(jobId, found), () -> assignments.remove(jobId));
        dirty.add(jobId);
    }

    /** The mirror shows this kill order, or none. */
    public void killer(String jobId, Optional<Long> modRevision, Optional<KillOrder> value) {
        modRevision.ifPresentOrElse(
                found -> killers.put(jobId, new Ordered(found, value)), () -> killers.remove(jobId));
        dirty.add(jobId);
    }

    /** The mirror has come to this revision. */
    public void advance(long to) {
        boolean begins = session != null && revision < session.begunAt() && to >= session.begunAt();
        revision = to;
        if (begins) {
            touchAll();
        }
    }

    /** This worker is registered; runs begin once the mirror has come to the registration's revision. */
    public void sessionBegun(Session begun) {
        session = begun;
        touchAll();
    }

    /** The lease is not safe any more: everything stops, and what was assigned is void. */
    public void sessionEnded() {
        session = null;
        touchAll();
    }

    /** Everything is to be handed back, and nothing is started any more. */
    public void close() {
        closing = true;
        touchAll();
    }

    boolean isClosing() {
        return closing;
    }

    /** The registration under which runs may be acted on; empty before the mirror has come to it, and after its end. */
    Optional<Session> current() {
        return Optional.ofNullable(session).filter(begun -> revision >= begun.begunAt());
    }

    /** Whether nothing of this worker's runs or is about to. */
    public boolean isIdle() {
        return runs.values().stream().noneMatch(Run::isActive);
    }

    /** Whether nothing is assigned as far as the mirror shows, and nothing runs. */
    public boolean isEmpty() {
        return runs.isEmpty() && assignments.keySet().stream().allMatch(this::isHeldByAnother);
    }

    /**
     * Whether the mirror shows an assignment on another lease than this registration's. It belongs to a process that
     * had the same id and may still run it, though its registration was deleted by hand; it goes with that lease.
     */
    boolean isHeldByAnother(String jobId) {
        Assigned assigned = assignments.get(jobId);
        return assigned != null && session != null && assigned.lease() != session.lease();
    }

    /** The jobs whose work may be going on, by ascending id. The seed's {@code LaunchedJobs}. */
    public List<String> launchedJobs() {
        return runs.values().stream()
                .filter(Run::isActive)
                .map(run -> run.jobId)
                .toList();
    }

    /** The jobs assigned here as far as the mirror shows, by ascending id. The seed's {@code ScheduledJobs}. */
    public List<String> scheduledJobs() {
        return List.copyOf(assignments.keySet());
    }

    /** Whether the job is assigned here as far as the mirror shows. */
    public boolean scheduledHere(String jobId) {
        return assignments.containsKey(jobId);
    }

    /** The revision that the mirror has come to. */
    public long revision() {
        return revision;
    }

    /** The job's assignment to this registration. */
    @Nullable
    Assigned assignmentOf(String jobId) {
        return isHeldByAnother(jobId) ? null : assignments.get(jobId);
    }

    @Nullable
    Ordered killerOf(String jobId) {
        return killers.get(jobId);
    }

    /** The kill order for a run, if the leader gave one. */
    Optional<KillOrder> killOrder(Run run) {
        Ordered order = killers.get(run.jobId);
        return order == null ? Optional.empty() : order.value().filter(kill -> kill.epoch() == run.epoch);
    }

    /** What a {@link Task.Read} found. */
    public void read(String jobId, long epoch, Reading reading) {
        with(jobId, epoch, run -> {
            run.reading = false;
            run.mustRead = false;
            if (reading.epoch() != epoch) {
                run.gone = true;
                return;
            }
            run.stateRevision = reading.stateRevision();
            run.state = reading.state()
                    .filter(state -> names(state, reading.stateRevision(), epoch))
                    .map(state -> state.withWorker(state.worker(), epoch))
                    .orElse(null);
            if (run.stage == Run.Stage.ASSIGNED || run.stage == Run.Stage.READY) {
                run.found = reading;
            }
        });
    }

    /** A read failed and has to be tried again. */
    public void readFailed(String jobId, long epoch) {
        with(jobId, epoch, run -> {
            run.reading = false;
            run.mustRead = true;
        });
    }

    /** The work has begun. */
    public void started(String jobId, long epoch) {
        with(jobId, epoch, run -> {
            if (run.stage == Run.Stage.STARTING) {
                run.stage = Run.Stage.RUNNING;
            }
        });
    }

    /** The work reports something. */
    public void progressed(String jobId, long epoch, String text) {
        with(jobId, epoch, run -> run.progress = Optional.of(text));
    }

    /** The work was told to stop long ago and goes on. */
    public void stuck(String jobId, long epoch, String reason) {
        with(jobId, epoch, run -> {
            if (run.stage == Run.Stage.STOPPING) {
                run.stuck = Optional.of(reason);
            }
        });
    }

    /** The work has ended, whether it had been told to or not. */
    public void ended(String jobId, long epoch, Ending ending) {
        with(jobId, epoch, run -> {
            if (run.isActive()) {
                run.stoppedElsewhere = ending.kind() == Ending.Kind.STOPPED && run.stage != Run.Stage.STOPPING;
                run.stage = Run.Stage.ENDED;
                run.ending = ending;
            }
        });
    }

    /** A {@link Task.Report} was written at that revision. */
    public void reported(Task.Report report, long at) {
        with(report.jobId(), report.epoch(), run -> {
            run.writing = false;
            run.claimFirst = false;
            run.state = report.state();
            run.stateRevision = at;
        });
    }

    /** A {@link Task.Release} was written. */
    public void released(String jobId, long epoch) {
        with(jobId, epoch, run -> {
            run.writing = false;
            run.stage = Run.Stage.RELEASED;
        });
    }

    /** A write found other facts than it had compared, or nothing is known of it: the facts must be read again. */
    public void writeFailed(String jobId, long epoch) {
        with(jobId, epoch, run -> {
            run.writing = false;
            run.mustRead = true;
        });
    }

    /** Time has come for runs that wait. */
    public void touch(String jobId) {
        dirty.add(jobId);
    }

    /** The runs to look at; they count as looked at from now on. */
    List<String> takeDirty() {
        List<String> taken = new ArrayList<>(dirty);
        dirty.clear();
        return taken;
    }

    private void touchAll() {
        dirty.addAll(assignments.keySet());
        dirty.addAll(killers.keySet());
        dirty.addAll(runs.keySet());
    }

    private interface Change {
        void apply(Run run);
    }

    private void with(String jobId, long epoch, Change change) {
        Run run = runs.get(jobId);
        if (run != null && run.epoch == epoch) {
            change.apply(run);
            dirty.add(jobId);
        }
    }

    /** Whether a state is about the placement of that epoch. */
    private static boolean names(RunState state, long stateRevision, long epoch) {
        long named = state.phase() == Phase.SCHEDULED && state.epoch() == 0 ? stateRevision : state.epoch();
        return named == epoch;
    }
}
