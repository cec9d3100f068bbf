// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.loop.EventLoop;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.WorkerProcess;
import java.time.Duration;
import java.time.Instant;

/** A worker's lease counts by the wall clock, which may be set meanwhile. */
final class WallClockLease implements PlantedBug {
    @Override
    public String name() {
        return "wall-clock lease";
    }

    @Override
    public EventLoop loop(ClusterProcess process, EventLoop loop) {
        return process instanceof WorkerProcess ? new WallClockLoop(loop) : loop;
    }

    private record WallClockLoop(EventLoop loop) implements EventLoop {
        @Override
        public void execute(Runnable task) {
            loop.execute(task);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            boolean[] cancelled = new boolean[1];
            wait(nanoTime() + delay.toNanos(), cancelled, task);
            return () -> cancelled[0] = true;
        }

        private void wait(long until, boolean[] cancelled, Runnable task) {
            Duration left = Duration.ofNanos(Math.max(0, until - nanoTime()));
            var unused = loop.schedule(left, () -> {
                if (!cancelled[0] && until - nanoTime() > 0) {
                    wait(until, cancelled, task);
                } else if (!cancelled[0]) {
                    task.run();
                }
            });
        }

        @Override
        public long nanoTime() {
            return Duration.between(Instant.EPOCH, loop.wallTime()).toNanos();
        }

        @Override
        public Instant wallTime() {
            return loop.wallTime();
        }
    }
}
