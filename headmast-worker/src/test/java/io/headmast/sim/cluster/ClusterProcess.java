// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.core.testing.PausableLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One life of a server or worker: its loops, its way to the store, and what faults do to it. A crash ends it for good. */
public abstract class ClusterProcess {
    private final World world;
    private final String id;
    private final Weather weather = new Weather();
    private final PausableLoop loop;
    private final List<LinkWatch> watches = new ArrayList<>();
    private boolean ended;
    private long endedAt = Long.MIN_VALUE;
    private boolean paused;
    private long unreliableUntil = Long.MIN_VALUE;
    private int callsLeft = -1;
    private boolean mirrorIsWrong;

    ClusterProcess(World world, String id) {
        this.world = world;
        this.id = id;
        this.loop = new PausableLoop(world.time());
    }

    public final World world() {
        return world;
    }

    public final String id() {
        return id;
    }

    public final Weather weather() {
        return weather;
    }

    /** The loop of what it does first of all; a worker has more. */
    final PausableLoop loop() {
        return loop;
    }

    List<PausableLoop> loops() {
        return List.of(loop);
    }

    /** The revision that its mirror has come to. */
    public abstract long knows();

    public final boolean isUp() {
        return !ended;
    }

    /** When it ended, by the time that all share. */
    public final long endedAt() {
        return endedAt;
    }

    public final boolean isPaused() {
        return paused;
    }

    public final boolean isRunning() {
        return !ended && !paused;
    }

    /**
     * Whether it may do at this moment what it should not, without being wrong: it stands still, woke up just now and has
     * yet to stop what was superseded meanwhile, or its lease was taken away behind its back.
     */
    public final boolean isExcused() {
        return paused || world.time().nanoTime() < unreliableUntil;
    }

    /** For so long it can't know better. */
    public final void excuse(Duration time) {
        unreliableUntil = Math.max(unreliableUntil, world.time().nanoTime() + time.toNanos());
    }

    /** Whether its mirror may lack something that it can't know of; until it has listed again. */
    public final boolean hasWrongMirror() {
        return mirrorIsWrong;
    }

    final void mirrorIsWrong() {
        mirrorIsWrong = true;
    }

    /** Ends as by kill -9. */
    public void crash() {
        world.note(id, "ends");
        ended = true;
        endedAt = world.time().nanoTime();
        loops().forEach(PausableLoop::stop);
        closeWatches();
    }

    /** It crashes at its call after so many, before or after that is sent. */
    public final void crashAtCall(int calls) {
        callsLeft = calls;
    }

    public final void pause() {
        world.note(id, "stands still");
        paused = true;
        loops().forEach(PausableLoop::pause);
    }

    public final void resume() {
        if (!paused) {
            return;
        }
        world.note(id, "goes on");
        paused = false;
        excuse(World.STOP_MARGIN);
        loops().forEach(PausableLoop::resume);
    }

    public final void drift(double rate) {
        loops().forEach(each -> each.drift(rate));
    }

    public final void stepWallClock(Duration by) {
        loops().forEach(each -> each.jumpWallClock(by));
    }

    /** Every watch of it ends, and it is told so. */
    public final void breakWatches(RuntimeException cause) {
        List.copyOf(watches).forEach(watch -> watch.onBroken(cause));
    }

    /** Nothing goes to the store, or nothing comes from it; when it comes again watches bring what was held back. */
    public final void cut(boolean requests, boolean answers) {
        weather.cut(requests, answers);
        if (!answers) {
            List.copyOf(watches).forEach(LinkWatch::release);
        }
    }

    /** Ends every fault between it and the store. */
    public final void clearWeather() {
        weather.clear();
        cut(false, false);
    }

    final void closeWatches() {
        List.copyOf(watches).forEach(LinkWatch::close);
    }

    /** A mirror opens a watch when it has listed everything. */
    final void watchOpened(LinkWatch watch) {
        mirrorIsWrong = false;
        watches.add(watch);
    }

    final void watchEnded(LinkWatch watch) {
        watches.remove(watch);
    }

    /** A transaction of it was answered. */
    void answered(Sent sent) {}

    /** A call is about to be made. */
    final boolean mayCall() {
        if (callsLeft == 0 && world.random().nextBoolean()) {
            callsLeft = -1;
            crash();
        }
        return !ended;
    }

    /** A call was sent. */
    final void called() {
        if (callsLeft == 0) {
            callsLeft = -1;
            crash();
        }
        callsLeft -= callsLeft > 0 ? 1 : 0;
    }

    @Override
    public final String toString() {
        return id;
    }
}
