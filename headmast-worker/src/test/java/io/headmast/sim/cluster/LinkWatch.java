// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One watch of a process: what it brings comes in order, each after the lag that the {@link Weather} says; what comes
 * while answers are cut off waits until they aren't.
 */
final class LinkWatch implements Watch, WatchListener {
    private final World world;
    private final ClusterProcess process;
    private final WatchListener listener;
    private final List<Runnable> heldBack = new ArrayList<>();
    private @Nullable Watch opened;
    private boolean ended;
    private long lastDue;

    LinkWatch(World world, ClusterProcess process, WatchListener listener) {
        this.world = world;
        this.process = process;
        this.listener = listener;
    }

    void open(WatchRequest request) {
        opened = world.store().watch(request, this);
        if (process.weather().breaksWhenCreated()) {
            world.tally().effect("watch broken when created");
            onBroken(new HeadmastException.Unavailable("connection reset"));
        }
    }

    @Override
    public void requestProgress() {
        Watch asked = opened;
        if (asked != null && !process.weather().requestsCut()) {
            asked.requestProgress();
        }
    }

    @Override
    public void close() {
        end();
    }

    @Override
    public void onEvents(long revision, List<WatchEvent> events) {
        Weather weather = process.weather();
        List<WatchEvent> seen = ended ? events : weather.seen(events);
        if (seen.size() < events.size()) {
            world.tally().effect("events lost");
            process.mirrorIsWrong();
        }
        if (seen.isEmpty()) {
            return;
        }
        deliver(() -> listener.onEvents(revision, seen));
        if (weather.repeats(world.random())) {
            world.tally().effect("events repeated");
            deliver(() -> listener.onEvents(revision, seen));
        }
    }

    /** Of no use for how far it has come: some versions of etcd claim more than they have delivered. */
    @Override
    public void onProgress(long revision) {
        deliver(() -> listener.onProgress(0));
    }

    @Override
    public void onBroken(Throwable cause) {
        if (!ended) {
            deliver(() -> listener.onBroken(cause));
            end();
        }
    }

    /** What was held back comes now. */
    void release() {
        List<Runnable> waited = List.copyOf(heldBack);
        heldBack.clear();
        waited.forEach(this::deliver);
    }

    private void end() {
        ended = true;
        heldBack.clear();
        process.watchEnded(this);
        Watch closed = opened;
        if (closed != null) {
            closed.close();
        }
    }

    private void deliver(Runnable call) {
        if (process.weather().answersCut()) {
            heldBack.add(call);
            return;
        }
        long now = world.time().nanoTime();
        lastDue = Math.max(lastDue, now + process.weather().lag(world.random()).toNanos());
        var unused = world.time()
                .schedule(Duration.ofNanos(lastDue - now), () -> process.loop().execute(call));
    }
}
