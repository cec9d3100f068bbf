// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import io.headmast.sim.cluster.Flaw;
import io.headmast.sim.cluster.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.slf4j.MDC;

/** Many seeds, on some threads with a world each, until there are no more or one of them is violated. */
final class Campaign {
    /** While this is set in a thread's logging context, what it logs below an error is nobody's concern. */
    static final String QUIET = "simulation";

    private final int threads;
    private final Supplier<Flaw> flaw;
    private final Tally tally = new Tally();
    private final List<Outcome> violated = new ArrayList<>();
    private long seeds;
    private long events;
    private long bit;

    /** @param flaw made anew for every seed */
    Campaign(int threads, Supplier<Flaw> flaw) {
        this.threads = threads;
        this.flaw = flaw;
    }

    /**
     * Runs seeds until there are no more; after a violation none is begun.
     *
     * @param count how many
     * @param seedOf the seed with that number, from 0
     */
    void run(long count, LongUnaryOperator seedOf) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(() -> work(next, count, seedOf)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulation itself failed", e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    private void work(AtomicLong next, long count, LongUnaryOperator seedOf) {
        MDC.put(QUIET, "quiet");
        for (long i = next.getAndIncrement(); i < count && violation().isEmpty(); i = next.getAndIncrement()) {
            took(Simulation.run(seedOf.applyAsLong(i), flaw.get(), false));
        }
    }

    private synchronized void took(Outcome outcome) {
        seeds++;
        events += outcome.events();
        bit += outcome.bit() ? 1 : 0;
        tally.add(outcome.tally());
        if (outcome.violation().isPresent()) {
            violated.add(outcome);
        }
    }

    /** The violated seed of the lowest number; it can be run again by itself, with a trace. */
    synchronized Optional<Outcome> violation() {
        return violated.stream().min(Comparator.comparingLong(Outcome::seed));
    }

    synchronized long seeds() {
        return seeds;
    }

    /** How many tasks ran in all of them. */
    synchronized long events() {
        return events;
    }

    /** In how many of them the faults changed anything. */
    synchronized long bit() {
        return bit;
    }

    /** What was counted so far; a copy. */
    synchronized Tally tally() {
        Tally copy = new Tally();
        copy.add(tally);
        return copy;
    }
}
