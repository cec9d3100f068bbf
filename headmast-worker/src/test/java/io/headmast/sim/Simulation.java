// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.Flaw;
import io.headmast.sim.cluster.ServerProcess;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import io.headmast.sim.fault.Fault;
import io.headmast.sim.fault.Faults;
import io.headmast.sim.invariant.Invariant;
import io.headmast.sim.invariant.Invariants;
import io.headmast.sim.order.Order;
import io.headmast.sim.order.Orders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One life of a cluster from a seed: orders and faults at random for a while, of some kinds that the seed chooses; then
 * the faults stop, everything that ended is started again, and what should run has to come to run and stay. The same
 * seed gives the same life, whatever the machine.
 */
final class Simulation {
    private static final int ACTIONS = 90;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(700);
    private static final int EXAMINE_EVERY = 100;
    private static final Duration STEP = Duration.ofMillis(250);

    /** How long it may take until everything is as it should be: lapses, listings, pauses, and moves for evenness. */
    private static final int MOST_STEPS = 360;

    /** Nothing moves any more when it hasn't for so long. */
    private static final int QUIET_STEPS = 12;

    private static final Duration AFTERWARDS = World.TTL.multipliedBy(2);

    private final long seed;
    private final World world;
    private final RandomGenerator random;
    private final List<Invariant> invariants;
    private final List<Fault> faults = new ArrayList<>();
    private long examinedAt;

    private Simulation(long seed, Flaw flaw, boolean traced) {
        this.seed = seed;
        this.world = new World(seed, flaw, traced);
        this.random = world.random();
        this.invariants = Invariants.of(world);
        for (Fault fault : Faults.ALL) {
            if (random.nextInt(3) == 0) {
                faults.add(fault);
            }
        }
    }

    /** @param traced whether what happens is written down */
    static Outcome run(long seed, Flaw flaw, boolean traced) {
        Simulation simulation = new Simulation(seed, flaw, traced);
        simulation.live();
        return simulation.outcome();
    }

    private Outcome outcome() {
        return new Outcome(
                seed, world.violation(), world.time().ran(), world.tally().bit(), world.tally(), world.trace());
    }

    private void live() {
        try {
            begin();
            trouble();
            heal();
            settle();
        } catch (RuntimeException e) {
            // A task of some process, or of what watches it; on a thread it would be logged as the bug it is.
            StackTraceElement[] stack = e.getStackTrace();
            world.violated("NoTaskFails", e + " " + (stack.length == 0 ? "" : stack[0]));
        }
    }

    private void begin() {
        int servers = 2 + random.nextInt(2);
        int workers = 2 + random.nextInt(3);
        for (int i = 1; i <= servers; i++) {
            world.startServer("s" + i);
        }
        for (int i = 1; i <= workers; i++) {
            world.startWorker("w" + i);
        }
    }

    private boolean isOver() {
        return world.violation().isPresent();
    }

    private void trouble() {
        for (int i = 0; i < ACTIONS && !isOver(); i++) {
            advance(world.between(Duration.ZERO, LONGEST_PAUSE));
            if (faults.isEmpty() || random.nextInt(5) < 3) {
                Order order = world.any(Orders.ALL);
                if (order.give(world)) {
                    world.tally().order(order.name());
                }
            } else {
                Fault fault = world.any(faults);
                if (fault.strike(world)) {
                    world.tally().fault(fault.name());
                }
            }
            if (random.nextInt(8) == 0) {
                restart();
            }
        }
    }

    /** Starts again what has ended, and has those end that were refused. */
    private void restart() {
        for (ServerProcess server : world.servers()) {
            if (!server.isUp()) {
                world.startServer(server.id());
            }
        }
        for (WorkerProcess worker : world.workers()) {
            if (worker.refusal().isPresent() && worker.isUp()) {
                worker.crash();
            }
            if (!worker.isUp()) {
                world.startWorker(worker.id());
            }
        }
    }

    private void heal() {
        world.note("world", "faults stop");
        world.calmDown();
        for (ClusterProcess process : world.processes()) {
            if (process.isUp()) {
                process.crashAtCall(-1);
                process.clearWeather();
                process.resume();
                if (process instanceof WorkerProcess worker) {
                    worker.stubborn(false);
                    worker.stall(false);
                }
            }
        }
    }

    private void settle() {
        int quiet = 0;
        long revision = -1;
        for (int i = 0; i < MOST_STEPS && quiet < QUIET_STEPS && !isOver(); i++) {
            restart();
            advance(STEP);
            boolean moved = revision != world.truth().revision()
                    || world.hasLateRequests()
                    || outstanding().isPresent();
            quiet = moved ? 0 : quiet + 1;
            revision = world.truth().revision();
        }
        if (isOver()) {
            return;
        }
        if (quiet < QUIET_STEPS) {
            world.violated("Settled", outstanding().orElse("something is written all the time, at last " + revision));
            return;
        }
        invariants.forEach(Invariant::settled);
        advance(AFTERWARDS);
        invariants.forEach(Invariant::examine);
        invariants.forEach(Invariant::end);
    }

    private Optional<String> outstanding() {
        return invariants.stream()
                .map(Invariant::outstanding)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private void advance(Duration duration) {
        world.time().advance(duration);
        if (world.happenings() - examinedAt >= EXAMINE_EVERY) {
            examinedAt = world.happenings();
            invariants.forEach(Invariant::examine);
        }
    }
}
