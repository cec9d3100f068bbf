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
import org.slf4j.MDC;

/** Many seeds, on some threads with a world each. */
final class Campaign {
    /** While this is set in a thread's logging context, what it logs is nobody's concern. */
    private static final String QUIET = "simulation";

    private final int threads;
    private final boolean all;
    private final Tally tally = new Tally();
    private final List<Outcome> violated = new ArrayList<>();
    private volatile boolean stopped;
    private long seeds;
    private long events;
    private long bit;

    /** @param all whether it goes on after a violation */
    Campaign(int threads, boolean all) {
        this.threads = threads;
        this.all = all;
    }

    /** What came of one seed, without what its processes log. */
    static Outcome quietly(long seed, Flaw flaw, boolean traced) {
        MDC.put(QUIET, "quiet");
        try {
            return Simulation.run(seed, flaw, traced);
        } finally {
            MDC.remove(QUIET);
        }
    }

    /**
     * Runs seeds until there are no more, it is stopped, or one is violated.
     *
     * @param count how many
     * @param seedOf the seed with that number, from 0
     */
    void run(long count, LongUnaryOperator seedOf) throws InterruptedException {
        AtomicLong next = new AtomicLong();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> works = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                works.add(executor.submit(() -> work(next, count, seedOf)));
            }
            for (Future<?> work : works) {
                work.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulation itself failed", e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }

    /** Begins no further seed; from any thread. */
    void stop() {
        stopped = true;
    }

    private void work(AtomicLong next, long count, LongUnaryOperator seedOf) {
        for (long i = next.getAndIncrement(); i < count && !stopped; i = next.getAndIncrement()) {
            took(quietly(seedOf.applyAsLong(i), Flaw.NONE, false));
        }
    }

    private synchronized void took(Outcome outcome) {
        seeds++;
        events += outcome.events();
        bit += outcome.bit() ? 1 : 0;
        tally.add(outcome.tally());
        if (outcome.violation().isPresent()) {
            violated.add(outcome);
            stopped |= !all;
        }
    }

    /** By ascending seed; each can be run again by itself, with a trace. */
    synchronized List<Outcome> violated() {
        return violated.stream().sorted(Comparator.comparingLong(Outcome::seed)).toList();
    }

    /** What was violated first of all by number of seed, as text. */
    Optional<String> violation() {
        return violated().stream()
                .findFirst()
                .map(outcome -> "seed " + outcome.seed() + ": "
                        + outcome.violation().orElseThrow() + "; see it by bin/simulate --replay " + outcome.seed());
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
