// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.HeadmastException;
import io.headmast.api.json.Json;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.plan.Step;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Act: carries steps out in fenced transactions. Each step is a nested transaction with compares of its own, up to
 * {@value #MAX_STEPS} share one that compares the leader key, and up to {@value #MAX_IN_FLIGHT} are in flight. A step
 * whose facts don't hold any more sinks alone; a deposed leader's whole transaction does nothing.
 *
 * <p>What became of each step is told to the {@link ClusterState}. It belongs to the scheduler's loop.
 */
final class PlanCommitter {
    /** With the outer compare below the store's limit, and room for five compares inside (see the store port). */
    static final int MAX_STEPS = 120;

    static final int MAX_IN_FLIGHT = 4;

    private static final Logger LOG = LoggerFactory.getLogger(PlanCommitter.class);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final ClusterMirror mirror;
    private final StepTransaction transactions;
    private final ClusterState state;
    private final Outcome outcome;
    private final CommitCounters counters = new CommitCounters();
    private int inFlight;

    /** What the scheduler has to know of a transaction beyond what became of its steps. */
    interface Outcome {
        /** A transaction is done, whatever came of it: there is room for another. */
        void done();

        /** A transaction was answered, and so many of its steps were carried out. */
        void applied(int steps);

        /** At that revision the leader key isn't the one this leader holds. */
        void deposed(long term, long revision);

        /** These steps may or may not have been carried out. */
        void unknown(List<Step> steps, long term, Throwable cause);

        /** The store refuses for now, nothing was done. */
        void refused(Throwable cause);
    }

    /**
     * The fence of a transaction.
     *
     * @param key the leader key
     * @param term the modification revision it must have
     */
    record Fence(String key, long term) {}

    PlanCommitter(KeyValueStore store, ClusterMirror mirror, Outcome outcome) {
        this.store = store;
        this.mirror = mirror;
        this.loop = mirror.loop();
        this.transactions = new StepTransaction(mirror.keys());
        this.state = mirror.state();
        this.outcome = outcome;
    }

    /** How many steps may be committed now. */
    int room() {
        return (MAX_IN_FLIGHT - inFlight) * MAX_STEPS;
    }

    boolean isIdle() {
        return inFlight == 0;
    }

    CommitCounters counters() {
        return counters;
    }

    /** Sends steps, at most {@link #room()} of them. */
    void commit(List<Step> steps, Fence fence) {
        List<Step> byWorker = new ArrayList<>(steps);
        byWorker.sort(Comparator.comparing(Step::workerId));
        for (int from = 0; from < byWorker.size(); from += MAX_STEPS) {
            send(byWorker.subList(from, Math.min(byWorker.size(), from + MAX_STEPS)), fence);
        }
    }

    private void send(List<Step> steps, Fence fence) {
        inFlight++;
        counters.sent(steps.size());
        loop.when(
                store.txn(transactions.fenced(steps, fence)),
                result -> {
                    inFlight--;
                    answered(steps, fence, result);
                    outcome.done();
                },
                failure -> {
                    inFlight--;
                    failed(steps, fence, failure);
                    outcome.done();
                });
    }

    private void answered(List<Step> steps, Fence fence, TxnResult result) {
        mirror.expect(result.revision());
        if (!result.succeeded()) {
            steps.forEach(state::dropped);
            outcome.deposed(fence.term(), result.revision());
            return;
        }
        int applied = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            state.settled(step, result.revision());
            if (result.nested(i).succeeded()) {
                applied++;
                counters.committed(step);
                log(step, result.revision());
            } else {
                counters.overtaken();
                LOG.debug("step was overtaken step={} job={}", name(step), step.jobId());
            }
        }
        outcome.applied(applied);
    }

    private void failed(List<Step> steps, Fence fence, Throwable failure) {
        if (failure instanceof LeaseNotFoundException) {
            withoutTheDead(steps, fence);
        } else if (failure instanceof HeadmastException.TooLarge && steps.size() > 1) {
            send(steps.subList(0, steps.size() / 2), fence);
            send(steps.subList(steps.size() / 2, steps.size()), fence);
        } else if (failure instanceof HeadmastException.Indeterminate
                || failure instanceof HeadmastException.StorageFull) {
            // etcd applies the very write that exceeds its quota before it refuses it.
            outcome.unknown(steps, fence.term(), failure);
        } else {
            steps.forEach(state::dropped);
            outcome.refused(failure);
        }
    }

    /** One dead lease fails the whole transaction and isn't named: each worker's steps go again by themselves. */
    private void withoutTheDead(List<Step> steps, Fence fence) {
        Map<String, List<Step>> byWorker = new LinkedHashMap<>();
        steps.forEach(step -> byWorker.computeIfAbsent(step.workerId(), id -> new ArrayList<>())
                .add(step));
        if (byWorker.size() > 1) {
            byWorker.values().forEach(some -> send(some, fence));
            return;
        }
        LOG.info(
                "worker's lease is gone; nothing more is placed there worker={}",
                steps.get(0).workerId());
        for (Step step : steps) {
            step.to().ifPresent(state::lapsed);
            state.dropped(step);
        }
    }

    private static void log(Step step, long revision) {
        LOG.info(
                "{} job={} worker={} revision={} reason={}",
                name(step),
                step.jobId(),
                step.workerId(),
                revision,
                Json.quote(step.reason()));
    }

    private static String name(Step step) {
        return step.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
}
