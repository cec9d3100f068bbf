// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that is known about one job id: record, state, assignments and kill orders, and what the planner has under way
 * for it. Owned by its {@link ClusterState}.
 */
final class JobSlot {
    final String id;

    @Nullable
    Known<Job> job;

    @Nullable
    Known<RunState> state;

    /** By worker; more than one only if somebody wrote keys by hand. */
    private @Nullable NavigableMap<String, Known<Assignment>> assignments;

    private @Nullable NavigableMap<String, Known<KillOrder>> killers;

    /** A step for this job is not settled: nothing else is planned for it. */
    boolean underWay;

    /** The worker a placement under way goes to. */
    @Nullable
    String assumedOn;

    /** The worker that this job's weight is counted on, and how much. */
    @Nullable
    String countedOn;

    int countedWeight;

    /** The kill order of a stop that is under way. */
    @Nullable
    KillOrder stopUnderWay;

    /** Where it counts as a job that may move. */
    Movables.@Nullable Holding heldIn;

    /** The worker that its weight is counted on as leaving, and how much. */
    @Nullable
    WorkerSlot leavingFrom;

    int leavingWeight;

    /** The queue that it waits in for a placement. */
    Backlog.@Nullable Queue queue;

    /** When it is to be removed; null unless it is kept for a limited time that runs. */
    @Nullable
    Instant keptUntil;

    JobSlot(String id) {
        this.id = id;
    }

    /** Placed means: the assignment that the state names exists. Nothing else does. */
    Optional<Placement> placement() {
        if (state == null || state.value().isEmpty()) {
            return Optional.empty();
        }
        long epoch = epoch(state);
        return state.value()
                .get()
                .worker()
                .filter(worker -> {
                    Known<Assignment> named = assignmentOn(worker);
                    return named != null && named.createRevision() == epoch;
                })
                .map(worker -> new Placement(worker, epoch));
    }

    /** The token in the state, or while the worker hasn't written it yet, the state's own revision. */
    static long epoch(Known<RunState> state) {
        RunState value = state.value().orElseThrow();
        return value.phase() == Phase.SCHEDULED && value.epoch() == 0 ? state.modRevision() : value.epoch();
    }

    /** The token of the placement, while there is a state that can be read; 0 otherwise. */
    long epoch() {
        return state == null || state.value().isEmpty() ? 0 : epoch(state);
    }

    @Nullable
    Known<Assignment> assignmentOn(String workerId) {
        return assignments == null ? null : assignments.get(workerId);
    }

    boolean hasAssignments() {
        return assignments != null;
    }

    /** The worker of an assignment that no state means and that no order ends yet; somebody wrote keys by hand. */
    Optional<String> stray() {
        if (assignments == null || placement().isPresent()) {
            return Optional.empty();
        }
        return assignments.entrySet().stream()
                .filter(entry -> killOrder(
                                new Placement(entry.getKey(), entry.getValue().createRevision()))
                        .isEmpty())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    void assign(String workerId, Optional<Known<Assignment>> assignment) {
        assignments = with(assignments, workerId, assignment);
    }

    /** The kill order for that placement, if the leader gave one. */
    Optional<KillOrder> killOrder(Placement placement) {
        Known<KillOrder> order = killers == null ? null : killers.get(placement.workerId());
        return order == null ? Optional.empty() : order.value().filter(kill -> kill.epoch() == placement.epoch());
    }

    /** The order that ends that placement, given or under way; empty if it stays. */
    Optional<KillOrder> leaving(Placement placement) {
        return stopUnderWay == null ? killOrder(placement) : Optional.of(stopUnderWay);
    }

    void kill(String workerId, Optional<Known<KillOrder>> order) {
        killers = with(killers, workerId, order);
    }

    /** Something of it can't be read: it is left as it is. */
    boolean isUnreadable() {
        return (job != null && job.value().isEmpty())
                || (state != null && state.value().isEmpty());
    }

    boolean isEmpty() {
        return job == null && state == null && assignments == null && killers == null && !underWay;
    }

    Optional<Job> record() {
        return job == null ? Optional.empty() : job.value();
    }

    Optional<RunState> runState() {
        return state == null ? Optional.empty() : state.value();
    }

    /** Whether it should be placed; that it is not is for the caller to know. */
    boolean isWaiting() {
        return !isUnreadable()
                && record().filter(wanted -> wanted.wantsPlacement() && !hasEnded(wanted))
                        .isPresent();
    }

    /** Whether its last run ended by itself and no newer generation was asked for. */
    boolean hasEnded(Job wanted) {
        return runState()
                .filter(last -> last.phase().isTerminal() && last.generation() >= wanted.generation())
                .isPresent();
    }

    private static <T> @Nullable NavigableMap<String, T> with(
            @Nullable NavigableMap<String, T> map, String key, Optional<T> value) {
        NavigableMap<String, T> result = map == null ? new TreeMap<>() : map;
        if (value.isPresent()) {
            result.put(key, value.get());
        } else {
            result.remove(key);
        }
        return result.isEmpty() ? null : result;
    }

    @Override
    public String toString() {
        return id + "[job=" + job + " state=" + state + " assignments=" + assignments + " killers=" + killers
                + " countedOn=" + countedOn + "/" + countedWeight + " waits=" + (queue != null) + " movable="
                + (heldIn != null) + " keptUntil=" + keptUntil + "]";
    }
}
