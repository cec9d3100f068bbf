// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The running jobs that could move for the sake of evenness, by domain, those of the most loaded workers first; the jobs
 * that are on the move already; and the domains in which something has changed since they were last found to be even.
 * Keeping it costs O(log) per change of a job, and per worker that changed O(log) for each domain of its jobs, once
 * before a look and not with every change.
 */
final class Movables {
    /** Workers count as even when the one keeps no more than the other has, once this part of its load is gone. */
    private static final double TOLERANCE = 0.05;

    /** The job that has been where it is for longest: what was placed only just now is not moved on. */
    private static final Comparator<JobSlot> LONGEST_PLACED =
            Comparator.<JobSlot>comparingLong(slot -> slot.epoch()).thenComparing(slot -> slot.id);

    private static final Comparator<Holding> MOST_LOADED =
            Comparator.<Holding>comparingDouble(holding -> -holding.level).thenComparing(holding -> holding.worker.id);

    private final NavigableMap<String, NavigableSet<Holding>> domains = new TreeMap<>();
    private final NavigableMap<String, JobSlot> onTheMove = new TreeMap<>();
    private final Set<WorkerSlot> touched = new LinkedHashSet<>();
    private final NavigableSet<String> stale = new TreeSet<>();
    private boolean tracking;
    private long examined;

    /** The jobs of one domain on one worker that could move. */
    static final class Holding {
        final String domain;
        final WorkerSlot worker;

        /** By weight, and of the same weight those first that have been there for longest. */
        final NavigableMap<Integer, NavigableSet<JobSlot>> byWeight = new TreeMap<>();

        /** How utilised the worker stays if it gives its lightest job, as far as it stands in the order; see there. */
        double level = Double.NaN;

        Holding(String domain, WorkerSlot worker) {
            this.domain = domain;
            this.worker = worker;
        }
    }

    /** What of this worker's load counts as if it were gone already. */
    static long staying(WorkerSlot worker) {
        return worker.used - worker.leaving;
    }

    /** How utilised a worker stays if it gives a job of that weight; less than that if a job is a small part of it. */
    static double levelAfterGiving(WorkerSlot worker, int weight) {
        long load = staying(worker);
        return (load - Math.max(weight, load * TOLERANCE)) / size(worker);
    }

    /** What a worker's weights are compared by. */
    static long size(WorkerSlot worker) {
        return worker.facts().map(facts -> facts.candidate().size()).orElse(1L);
    }

    /** From now on jobs are kept here. */
    void track() {
        tracking = true;
    }

    /** Takes a job out; must come before anything of it changes. */
    void remove(JobSlot slot) {
        onTheMove.remove(slot.id);
        WorkerSlot left = slot.leavingFrom;
        if (left != null) {
            left.leaving -= slot.leavingWeight;
            slot.leavingFrom = null;
            slot.leavingWeight = 0;
            touch(left);
        }
        Holding holding = slot.heldIn;
        if (holding != null) {
            slot.heldIn = null;
            NavigableSet<JobSlot> alike = holding.byWeight.get(slot.countedWeight);
            if (alike == null || !alike.remove(slot)) {
                throw new IllegalStateException("not where it is held: " + slot);
            }
            if (alike.isEmpty()) {
                holding.byWeight.remove(slot.countedWeight);
            }
            touch(holding.worker);
        }
    }

    /** Puts a job that is placed there in, once its weight was counted. */
    void add(JobSlot slot, Placement placement, WorkerSlot worker) {
        if (!tracking || slot.heldIn != null || slot.leavingFrom != null || isToComeBack(slot)) {
            return;
        }
        Optional<KillOrder> order = slot.leaving(placement);
        if (order.isPresent()) {
            slot.leavingFrom = worker;
            slot.leavingWeight = slot.countedWeight;
            worker.leaving += slot.leavingWeight;
            if (order.get().then() == Phase.PENDING && wantsPlacement(slot)) {
                onTheMove.put(slot.id, slot);
            }
            touch(worker);
        } else if (mayMove(slot)) {
            String domain = slot.record().orElseThrow().domain();
            Holding holding = worker.holdings.computeIfAbsent(domain, name -> new Holding(name, worker));
            holding.byWeight
                    .computeIfAbsent(slot.countedWeight, weight -> new TreeSet<>(LONGEST_PLACED))
                    .add(slot);
            slot.heldIn = holding;
            touch(worker);
        }
    }

    /** Something changed that its place in the order rests on, or what it takes. */
    void touch(WorkerSlot worker) {
        if (tracking) {
            touched.add(worker);
        }
    }

    /** A worker is gone, and nothing is on it. */
    void forget(WorkerSlot worker) {
        worker.holdings.values().forEach(this::takeOut);
        touched.remove(worker);
    }

    /** Brings the order up to date, and tells the domains in which it is worth looking for a move. */
    NavigableSet<String> refresh() {
        boolean all = false;
        for (WorkerSlot worker : touched) {
            worker.holdings.values().forEach(this::takeOut);
            worker.holdings.values().removeIf(holding -> holding.byWeight.isEmpty());
            if (worker.gives()) {
                worker.holdings.values().forEach(this::putIn);
            }
            Optional<Worker> open = worker.open().flatMap(candidate -> worker.live());
            if (open.isPresent() && open.get().domains().isEmpty()) {
                all = true;
            } else if (open.isPresent()) {
                open.get().domains().stream().filter(domains::containsKey).forEach(stale::add);
            }
        }
        touched.clear();
        if (all) {
            stale.addAll(domains.keySet());
        }
        return stale;
    }

    /** There is nothing to move in that domain until something changes. */
    void settled(String domain) {
        stale.remove(domain);
    }

    /** The most loaded worker that could give a job of that domain, as of the last refresh. */
    @Nullable
    Holding first(String domain) {
        NavigableSet<Holding> order = domains.get(domain);
        return order == null ? null : order.first();
    }

    /** The next after that one. */
    @Nullable
    Holding after(Holding holding) {
        examined++;
        NavigableSet<Holding> order = domains.get(holding.domain);
        return order == null ? null : order.higher(holding);
    }

    /** The jobs that are stopped in order to be placed again, by id. */
    NavigableMap<String, JobSlot> onTheMove() {
        return onTheMove;
    }

    /** How many steps in an order were made in all: what it costs, apart from their logarithms. */
    long examined() {
        return examined;
    }

    private void takeOut(Holding holding) {
        examined++;
        NavigableSet<Holding> order = domains.get(holding.domain);
        if (order != null && !Double.isNaN(holding.level)) {
            order.remove(holding);
            if (order.isEmpty()) {
                domains.remove(holding.domain);
            }
        }
        holding.level = Double.NaN;
    }

    private void putIn(Holding holding) {
        holding.level = levelAfterGiving(holding.worker, holding.byWeight.firstKey());
        domains.computeIfAbsent(holding.domain, name -> new TreeSet<>(MOST_LOADED))
                .add(holding);
        stale.add(holding.domain);
    }

    /** A restarted job goes back to where it is: it is neither leaving nor to be moved. */
    private static boolean isToComeBack(JobSlot slot) {
        long ran = slot.runState().map(RunState::generation).orElse(0L);
        return slot.record().filter(job -> ran < job.generation()).isPresent() && wantsPlacement(slot);
    }

    private static boolean wantsPlacement(JobSlot slot) {
        return slot.record().filter(job -> job.wantsPlacement()).isPresent();
    }

    /** Only what its worker has begun with: a placement that nobody has seen yet is not worth another. */
    private static boolean mayMove(JobSlot slot) {
        return !slot.underWay
                && !slot.isUnreadable()
                && wantsPlacement(slot)
                && slot.runState()
                        .filter(state -> state.phase() != Phase.SCHEDULED)
                        .isPresent();
    }
}
