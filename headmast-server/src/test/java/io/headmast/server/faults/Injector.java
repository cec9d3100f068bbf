// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.server.faults.kind.Stage;
import io.headmast.server.faults.kind.Trouble;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Lets the faults of a plan happen, one step after another on the calling thread, and ends them all. */
final class Injector {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Stage stage;
    private final Random random;
    private final PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparingLong(Step::at));
    private final List<Injected> injected = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    /** A fault that happened, from when to when by the monotonic clock. */
    record Injected(String fault, Trouble trouble, long from, long to) {}

    private record Step(long at, Runnable action) {}

    Injector(Stage stage, Random random) {
        this.stage = stage;
        this.random = random;
    }

    /** Carries out a plan that begins now, and waits until its faults are over. */
    void run(FaultPlan plan) {
        long begun = System.nanoTime();
        long end = begun + plan.length().toNanos();
        for (FaultPlan.Planned planned : plan.faults()) {
            steps.add(new Step(begun + planned.at().toNanos(), () -> begin(planned, end)));
        }
        try {
            while (!steps.isEmpty()) {
                Step next = steps.remove();
                awaitTime(next.at());
                next.action().run();
            }
        } finally {
            // What had begun when another failed ends all the same.
            new ArrayList<>(steps)
                    .stream()
                            .filter(step -> step.action() instanceof End)
                            .forEach(step -> step.action().run());
        }
    }

    List<Injected> injected() {
        return List.copyOf(injected);
    }

    /** Faults that found nothing to happen to. */
    List<String> skipped() {
        return List.copyOf(skipped);
    }

    /** What finds nothing to happen to waits for that, as long as there is time left. */
    private void begin(FaultPlan.Planned planned, long end) {
        long from = System.nanoTime();
        Optional<Trouble> begun = planned.fault().begin(stage, random);
        if (begun.isPresent()) {
            long until = System.nanoTime() + planned.lasts().toNanos();
            steps.add(new Step(until, new End(planned.fault().name(), begun.get(), from)));
        } else if (from + PATIENCE_NANOS + planned.lasts().toNanos() < end) {
            steps.add(new Step(from + PATIENCE_NANOS, () -> begin(planned, end)));
        } else {
            skipped.add(planned.fault().name());
        }
    }

    private final class End implements Runnable {
        private final String fault;
        private final Trouble trouble;
        private final long from;

        End(String fault, Trouble trouble, long from) {
            this.fault = fault;
            this.trouble = trouble;
            this.from = from;
        }

        @Override
        public void run() {
            trouble.end();
            injected.add(new Injected(fault, trouble, from, System.nanoTime()));
        }
    }

    private static void awaitTime(long at) {
        for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted");
            }
            LockSupport.parkNanos(left);
        }
    }
}
