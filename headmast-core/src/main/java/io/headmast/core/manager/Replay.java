// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Keys;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The events of the past, told once more by the store's history: a mirror that begins as of an old revision sees the same
 * revisions as one that was there, so the same code tells the same of them. It ends when it meets the live log, when its
 * log is full, when it is in trouble, or after {@link #LIMIT}; what it has by then is right in any case.
 *
 * <p>It belongs to its loop; its log may be read by anyone.
 */
final class Replay {
    static final int CAPACITY = 50_000;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /**
     * So long without an event means that the store has no more history to send: that it is not the connection which is
     * dead, the mirror finds out sooner.
     */
    private static final Duration QUIET = Duration.ofSeconds(4);

    private final EventLoop loop;
    private final long from;
    private final EventLog live;
    private final PayloadCache cache;
    private final Runnable news;
    private final Consumer<Optional<Throwable>> ended;
    private final ClusterMirror mirror;
    private final EventLog log;
    private EventLoop.Timer limit = () -> {};
    private EventLoop.Timer quiet = () -> {};
    private boolean listed;
    private boolean telling;
    private volatile boolean running = true;

    /**
     * What a replay reads from, and where what it reads goes.
     *
     * @param news called when there is something new
     */
    record Source(KeyValueStore store, EventLoop loop, Keys keys, EventLog live, PayloadCache cache, Runnable news) {}

    /**
     * @param from the revision that it begins after
     * @param ended told on the loop, with the trouble if there was any
     */
    Replay(Source source, long from, Consumer<Optional<Throwable>> ended) {
        this.loop = source.loop();
        this.from = from;
        this.live = source.live();
        this.cache = source.cache();
        this.news = source.news();
        this.ended = ended;
        this.log = new EventLog(Integer.MAX_VALUE, from);
        mirror = ClusterMirror.ofPast(source.store(), loop, source.keys(), MirrorOptions.standard(new Random()));
        mirror.addListener(new Moves());
    }

    void start() {
        limit = loop.schedule(LIMIT, () -> end(Optional.empty()));
        mirror.startAt(from);
    }

    /** What it has told so far. */
    EventLog log() {
        return log;
    }

    long from() {
        return from;
    }

    /** Whether its log may still grow; from any thread. */
    boolean isRunning() {
        return running;
    }

    void end(Optional<Throwable> trouble) {
        if (running) {
            running = false;
            limit.cancel();
            quiet.cancel();
            mirror.close();
            ended.accept(trouble);
        }
    }

    private void awaitQuiet() {
        quiet.cancel();
        quiet = loop.schedule(QUIET, () -> {
            if (mirror.isFollowing()) {
                live.extendBackTo(log.upTo());
            }
            end(Optional.empty());
        });
    }

    private final class Moves implements ClusterMirror.Listener {
        @Override
        public void listed(List<Difference<Fact>> differences) {
            if (!running || listed) {
                end(Optional.empty());
                return;
            }
            listed = true;
            // From here on: whatever the listing shows that isn't changed later can be read when it is needed.
            mirror.showRecords(
                    (job, revision) -> cache.put(new PayloadCache.Version(job.id(), revision), job.payload()));
            awaitQuiet();
        }

        @Override
        public void moved(List<Difference<Fact>> differences) {
            if (!running) {
                return;
            }
            Observer.Look look = mirror.observer().look();
            log.append(look.revision(), JobEvent.of(look, differences));
            newsSoon();
            if (look.revision() >= live.from() || log.size() >= CAPACITY) {
                end(Optional.empty());
            } else if (!differences.isEmpty()) {
                awaitQuiet();
            }
        }

        private void newsSoon() {
            if (!telling) {
                telling = true;
                loop.execute(() -> {
                    telling = false;
                    news.run();
                });
            }
        }

        @Override
        public void troubled(Throwable cause) {
            end(Optional.of(cause));
        }
    }
}
