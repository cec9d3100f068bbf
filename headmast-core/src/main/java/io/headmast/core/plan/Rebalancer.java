// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Scheduling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Evens the load out by moving running jobs, one at a time from the most loaded worker to where the policy would place
 * that job now. What is to move follows from the state alone, so a new leader goes on where the old one stopped.
 *
 * <p>A job of weight w moves from S to T only if S, without it, stays more utilised than T is now. Placed anew, the job
 * would not come back to S; and since the lesser of the two rises and the greater doesn't, no sequence of moves comes
 * back to where it began. Workers whose loads differ by less than 5 % are even. It ends when the greatest and the least
 * load of workers that share a domain differ by no more than one job, or 5 %.
 *
 * <p>Jobs that are on the move already count as if they had arrived where the policy's least utilised worker is. Pure,
 * like the planner that it belongs to. A move costs O(log W), and a look O(D log W) for the D domains in which something
 * changed.
 */
final class Rebalancer {
    /** Beyond that nothing more begins to move, whatever the rate allows: jobs may take their time to stop. */
    static final int MAX_ON_THE_MOVE = 100;

    /** How many jobs of a domain are tried in one look if the policy doesn't send the first one somewhere better. */
    private static final int MAX_TRIES = 16;

    private static final Comparator<Top> HIGHEST =
            Comparator.<Top>comparingDouble(top -> -top.level).thenComparing(Top::domain);

    private final ClusterState state;
    private final Movables movables;
    private final Placer placer;
    private final @Nullable MoveRate rate;
    private final List<Poured> poured = new ArrayList<>();
    private @Nullable Instant retryAt;

    /** The most loaded worker of a domain, as it was when it was looked at. */
    private record Top(String domain, double level) {}

    /** What counts on a worker for the time of a look, because it will come. */
    private record Poured(WorkerSlot worker, int weight) {}

    private record Move(JobSlot job, WorkerSlot from, WorkerSlot to) {}

    /** What a look for moves is given. */
    private record Look(Instant now, Consumer<String> problems) {}

    Rebalancer(ClusterState state, Placer placer, Scheduling scheduling) {
        this.state = state;
        this.movables = state.movables;
        this.placer = placer;
        boolean moves = scheduling.rebalanceRate() > 0 && scheduling.policy().rebalances();
        this.rate = moves ? new MoveRate(scheduling.rebalanceRate()) : null;
        if (moves) {
            state.trackMovables();
        }
    }

    /** When it is worth another look although nothing changes. */
    Optional<Instant> retryAt() {
        return Optional.ofNullable(retryAt);
    }

    /** Plans at most {@code limit} moves, each of which counts as under way from then on. */
    List<Step> plan(Instant now, int limit, Consumer<String> problems) {
        retryAt = null;
        List<Step> steps = new ArrayList<>();
        MoveRate moves = rate;
        if (moves == null) {
            return steps;
        }
        NavigableSet<String> stale = movables.refresh();
        if (stale.isEmpty() || isFull()) {
            return steps;
        }
        if (!moves.allows(now)) {
            retryAt = moves.next();
            return steps;
        }
        Look look = new Look(now, problems);
        try {
            movables.onTheMove().values().forEach(job -> pour(job, now));
            PriorityQueue<Top> tops = new PriorityQueue<>(HIGHEST);
            List.copyOf(stale).forEach(domain -> offer(domain, tops));
            while (!tops.isEmpty() && steps.size() < limit && !isFull()) {
                if (!moves.allows(now)) {
                    retryAt = moves.next();
                    break;
                }
                Optional<Move> move = next(tops, look);
                if (move.isPresent()) {
                    moves.take(now);
                    steps.add(begin(move.get()));
                    movables.refresh();
                    offer(move.get().job().record().orElseThrow().domain(), tops);
                }
            }
        } finally {
            undoPouring();
        }
        return steps;
    }

    private boolean isFull() {
        return movables.onTheMove().size() >= MAX_ON_THE_MOVE;
    }

    private void offer(String domain, PriorityQueue<Top> tops) {
        Movables.Holding first = movables.first(domain);
        if (first == null) {
            movables.settled(domain);
        } else {
            tops.add(new Top(domain, first.level));
        }
    }

    /** Takes the domain with the most loaded worker, and finds a move there; if it has lost its rank, nothing yet. */
    private Optional<Move> next(PriorityQueue<Top> tops, Look look) {
        Top top = tops.remove();
        Movables.Holding first = movables.first(top.domain);
        if (first != null && first.level < top.level) {
            tops.add(new Top(top.domain, first.level));
            return Optional.empty();
        }
        Optional<Instant> shunned = Optional.empty();
        Optional<Move> move = Optional.empty();
        if (first != null) {
            Placer.Trial trial = placer.trial(look.now, look.problems);
            move = bestIn(first, trial);
            shunned = trial.shunnedUntil();
        }
        if (move.isEmpty() && shunned.isEmpty()) {
            movables.settled(top.domain);
        } else if (move.isEmpty()) {
            retryAt = retryAt == null || shunned.get().isBefore(retryAt) ? shunned.get() : retryAt;
        }
        return move;
    }

    private Optional<Move> bestIn(Movables.Holding first, Placer.Trial trial) {
        Optional<Candidate> least =
                state.index.candidates(first.domain, 1, id -> false).leastUtilised();
        int tries = 0;
        for (Movables.Holding from = first; from != null; from = movables.after(from)) {
            if (least.isEmpty() || from.level <= least.get().utilisation()) {
                return Optional.empty();
            }
            for (JobSlot job : inOrder(from, least.get())) {
                if (tries == MAX_TRIES) {
                    return Optional.empty();
                }
                tries++;
                Optional<WorkerSlot> to = trial.choose(job).map(state.workers::get);
                if (to.isPresent() && improves(from.worker, job.countedWeight, to.get())) {
                    return Optional.of(new Move(job, from.worker, to.get()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The jobs of a worker in the order in which they are tried: the heaviest that don't turn the scales, so that few
     * have to move; if all do, the lightest.
     */
    private static List<JobSlot> inOrder(Movables.Holding from, Candidate least) {
        long size = Movables.size(from.worker);
        double half = ((double) Movables.staying(from.worker) * least.size() - (double) least.used() * size)
                / (size + least.size());
        int limit = Math.max(from.byWeight.firstKey(), (int) Math.min(half, Integer.MAX_VALUE));
        List<JobSlot> order = new ArrayList<>();
        for (NavigableSet<JobSlot> alike :
                from.byWeight.headMap(limit, true).descendingMap().values()) {
            for (JobSlot job : alike) {
                if (order.size() == MAX_TRIES) {
                    return order;
                }
                order.add(job);
            }
        }
        return order;
    }

    /** Whether the worker that gives stays above where the other is, and the other comes no higher than it was. */
    private static boolean improves(WorkerSlot from, int weight, WorkerSlot to) {
        double before = (double) Movables.staying(from) / Movables.size(from);
        return Movables.levelAfterGiving(from, weight) > (double) to.used / Movables.size(to)
                && (double) (to.used + weight) / Movables.size(to) <= before;
    }

    private Step begin(Move move) {
        JobSlot job = move.job();
        Placement placement = job.placement().orElseThrow();
        KillOrder order =
                new KillOrder(placement.epoch(), Phase.PENDING, "rebalance: worker " + move.to().id + " has room");
        Step.Stop stop = Planner.stop(job, placement, move.from(), order);
        state.assume(job, stop);
        count(move.to(), job.countedWeight);
        return stop;
    }

    private void pour(JobSlot slot, Instant now) {
        Job job = slot.record().orElseThrow();
        placer.candidates(slot, now)
                .leastUtilised()
                .map(candidate -> state.workers.get(candidate.workerId()))
                .ifPresent(worker -> count(worker, job.weight()));
    }

    private void count(WorkerSlot worker, int weight) {
        worker.used += weight;
        state.index.refresh(worker);
        poured.add(new Poured(worker, weight));
    }

    private void undoPouring() {
        for (Poured each : poured) {
            each.worker.used -= each.weight;
            state.index.refresh(each.worker);
        }
        poured.clear();
    }
}
