// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.TargetState;
import io.headmast.sim.cluster.Asked;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was acknowledged holds (G1, G4): a job that was killed, stopped or deleted isn't started again until somebody
 * asks for it; only a worker that read the record before may still do it a moment later. At the end every
 * acknowledged record says what was ordered last.
 */
final class OrdersHold implements Invariant {
    /** A worker reads a record and rewrites the state before it starts, and either may take as long as a call can. */
    private static final long GRACE_NANOS = Duration.ofMillis(2500).toNanos();

    /** An order that nobody knows of, or its repetitions, may still be carried out for so long. */
    private static final long DOUBT_NANOS = Duration.ofSeconds(10).toNanos();

    private final World world;
    private final Map<String, List<Asked>> orders = new TreeMap<>();

    /** The latest acknowledged order to stop, by job, unless it may have been undone. */
    private final Map<String, Asked> stopped = new HashMap<>();

    OrdersHold(World world) {
        this.world = world;
    }

    @Override
    public void asked(Asked order) {
        orders.computeIfAbsent(order.jobId(), id -> new ArrayList<>()).add(order);
        Asked stop = stopped.get(order.jobId());
        if (stop != null && stop.intent().isUndoneBy(order.intent())) {
            stopped.remove(order.jobId());
        }
    }

    @Override
    public void answered(Asked order) {
        if (order.outcome() == Asked.Outcome.ACKNOWLEDGED && order.intent().stops() && !isInDoubt(order)) {
            stopped.put(order.jobId(), order);
        }
    }

    /** Whether an order that undoes it was, or may have been, carried out after it. */
    private boolean isInDoubt(Asked stop) {
        for (Asked other : orders.get(stop.jobId())) {
            if (stop.intent().isUndoneBy(other.intent()) && !isOverBefore(stop, other)) {
                return true;
            }
        }
        return false;
    }

    /** A creation that was repeated for want of an answer may come twice: then it is as if it were asked for again. */
    private static boolean isOverBefore(Asked stop, Asked other) {
        boolean certain = other.intent() != Asked.Intent.CREATE
                && (other.outcome() == Asked.Outcome.ACKNOWLEDGED || other.outcome() == Asked.Outcome.REFUSED);
        return other.outcome() != Asked.Outcome.OPEN && other.answeredAt() + (certain ? 0 : DOUBT_NANOS) < stop.at();
    }

    @Override
    public void starts(WorkerProcess process, Job job, long epoch) {
        Asked stop = stopped.get(job.id());
        if (stop == null) {
            return;
        }
        boolean late = world.time().nanoTime() - stop.answeredAt() > GRACE_NANOS
                && !process.isExcused()
                && !process.wasStalled();
        if (late || process.readAt(job.id()) > stop.answeredAt()) {
            world.violated(
                    name(),
                    process.name() + " starts " + job.id() + "@" + epoch + " though " + stop.intent()
                            + " was acknowledged");
        }
    }

    @Override
    public void settled() {
        stopped.values().forEach(this::requireStopped);
        orders.forEach((jobId, given) -> {
            boolean added = given.stream()
                    .anyMatch(order ->
                            order.intent() == Asked.Intent.CREATE && order.outcome() == Asked.Outcome.ACKNOWLEDGED);
            boolean removed = given.stream().anyMatch(order -> order.intent() == Asked.Intent.DELETE);
            if (added && !removed && world.truth().job(jobId).isEmpty()) {
                world.violated(name(), jobId + " was added, nobody deleted it, and it isn't there");
            }
        });
    }

    private void requireStopped(Asked stop) {
        Optional<Job> record = world.truth().job(stop.jobId());
        boolean holds = switch (stop.intent()) {
            case DELETE -> record.isEmpty();
            case KILL -> record.filter(job -> job.status() == JobStatus.CREATED).isEmpty();
            case STOP ->
                record.filter(job ->
                                job.targetState() != TargetState.INACTIVE && job.targetState() != TargetState.LOADED)
                        .isEmpty();
            case CREATE, ALIVE, START, OTHER -> true;
        };
        if (!holds || !world.runs().of(stop.jobId()).isEmpty()) {
            world.violated(name(), stop.intent() + " of " + stop.jobId() + " was acknowledged; it is " + record);
        }
    }
}
