// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The handlers of one worker's process, and the threads they run on: calls take some time, starts fail, work completes
 * or fails by itself, and for a while, when a fault says so, calls take much longer than the margin to stop in, as those
 * of handlers that ignore their cancellation do.
 */
final class Handlers implements LifecycleHandler, Executor {
    private static final long QUICK_NANOS = World.TTL.dividedBy(40).toNanos();
    private static final long SLOW_NANOS =
            World.STOP_MARGIN.multipliedBy(7).dividedBy(10).toNanos();
    private static final long LAST_END_NANOS = Duration.ofSeconds(8).toNanos();

    private final WorkerProcess process;
    private final World world;
    private final RandomGenerator random;
    private final Map<JobContext, Run> working = new HashMap<>();
    private boolean stubborn;
    private int stubbornCalls;

    Handlers(WorkerProcess process) {
        this.process = process;
        this.world = process.world();
        this.random = world.random();
    }

    void stubborn(boolean value) {
        stubborn = value;
    }

    /** Whether a call is under way that takes longer than a worker has to stop in. */
    boolean isStubborn() {
        return stubbornCalls > 0;
    }

    @Override
    public void execute(Runnable call) {
        if (stubborn) {
            stubbornCalls++;
            var unused = process.handlerLoop().schedule(between(World.STOP_MARGIN, World.TTL.multipliedBy(2)), () -> {
                stubbornCalls--;
                call.run();
            });
            return;
        }
        long most = random.nextInt(8) == 0 ? SLOW_NANOS : QUICK_NANOS;
        var unused = process.handlerLoop().schedule(Duration.ofNanos(random.nextLong(most)), call);
    }

    private Duration between(Duration least, Duration most) {
        return least.plusNanos(random.nextLong(most.minus(least).toNanos()));
    }

    @Override
    public void start(JobContext context) {
        Run run = new Run(
                process, context.job().id(), context.epoch(), world.time().nanoTime());
        if (!world.isCalm() && random.nextInt(12) == 0) {
            world.tally().effect("start failed");
            throw new IllegalStateException("doesn't start");
        }
        working.put(context, run);
        world.runs().began(run);
        if (!world.isCalm() && random.nextInt(3) == 0) {
            boolean well = random.nextInt(3) != 0;
            Duration later = Duration.ofNanos(random.nextLong(LAST_END_NANOS));
            var unused = process.handlerLoop().schedule(later, () -> endByItself(context, well));
        }
    }

    private void endByItself(JobContext context, boolean well) {
        Run run = working.get(context);
        if (run == null || context.isCancelled() || world.isCalm()) {
            return;
        }
        working.remove(context);
        world.runs().ended(run);
        if (well) {
            world.tally().effect("work completed");
            context.complete();
        } else {
            world.tally().effect("work failed");
            context.fail("fails");
        }
    }

    @Override
    public void stop(JobContext context) {
        Run run = working.remove(context);
        if (run != null) {
            world.runs().ended(run);
        }
    }
}
