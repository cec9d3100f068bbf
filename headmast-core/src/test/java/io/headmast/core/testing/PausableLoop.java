// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One process's loop on the time that all share: it can stop for good, as a crash does; stand still for a while, as a
 * stopped process does; have its wall clock jump, as after a suspension of the machine; and have clocks that run a little
 * faster or slower than those of others.
 */
public final class PausableLoop implements EventLoop {
    private final EventLoop time;
    private final List<Runnable> heldBack = new ArrayList<>();
    private boolean paused;
    private boolean stopped;
    private Duration wallAhead = Duration.ZERO;
    private double rate = 1;
    private long ratedFrom;
    private long ratedAt;

    public PausableLoop(EventLoop time) {
        this.time = time;
    }

    @Override
    public void execute(Runnable task) {
        time.execute(() -> run(task));
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        var cancelled = new boolean[1];
        // Rounded up, so that a task doesn't find that its time has yet to come.
        Timer timer = time.schedule(
                rate == 1 ? delay : Duration.ofNanos((long) Math.ceil(delay.toNanos() / rate) + 1),
                () -> run(() -> {
                    if (!cancelled[0]) {
                        task.run();
                    }
                }));
        return () -> {
            cancelled[0] = true;
            timer.cancel();
        };
    }

    @Override
    public long nanoTime() {
        return ratedAt + (long) ((time.nanoTime() - ratedFrom) * rate);
    }

    @Override
    public Instant wallTime() {
        return time.wallTime().plus(wallAhead).plusNanos(nanoTime() - time.nanoTime());
    }

    /** Nothing runs on this loop any more. */
    public void stop() {
        stopped = true;
    }

    /** What becomes due waits until {@link #resume}. */
    public void pause() {
        paused = true;
    }

    /** Ends a {@link #pause}: what waited runs now, in its order. */
    public void resume() {
        paused = false;
        List<Runnable> waited = List.copyOf(heldBack);
        heldBack.clear();
        waited.forEach(this::execute);
    }

    /** The wall clock jumps and the monotonic one doesn't. */
    public void jumpWallClock(Duration by) {
        wallAhead = wallAhead.plus(by);
    }

    /** Both clocks run at this many times the speed of the time that all share, from now on. */
    public void drift(double next) {
        ratedAt = nanoTime();
        ratedFrom = time.nanoTime();
        rate = next;
    }

    private void run(Runnable task) {
        if (paused) {
            heldBack.add(task);
        } else if (!stopped) {
            task.run();
        }
    }
}
