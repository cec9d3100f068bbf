// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobPath;
import io.headmast.api.Payload;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.manager.PayloadCache.Version;
import io.headmast.core.mirror.Difference;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The feed over the store. What is new comes from the server's mirror and is kept for a while, without payloads; what
 * lies further back comes from a {@link Replay} of the store's history, which tells the same. Payloads are kept as the
 * mirror reads them, as long as somebody watches, and read from the store otherwise.
 *
 * <p>At most {@value #MAX_WATCHES} watches are open.
 */
public final class StoreJobFeed implements JobFeed, AutoCloseable {
    private static final int MAX_WATCHES = 10_000;
    private static final int LIVE_EVENTS = 50_000;
    private static final long CACHED_BYTES = 16 << 20;

    private final KeyValueStore store;
    private final ClusterMirror mirror;
    private final EventLoop loop;
    private final Bell bell = new Bell();
    private final EventLog live = new EventLog(LIVE_EVENTS, 0);
    private final PayloadCache cache = new PayloadCache(CACHED_BYTES);
    private final PayloadReader payloads;
    private final Replays replays;
    private final Set<FeedWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile long jobs;
    private volatile boolean closed;
    private boolean ringing;

    /**
     * Must be created before the mirror is started.
     *
     * @param loop for what it reads from the store; another than the mirror's, which must not be kept busy with the past
     */
    public StoreJobFeed(KeyValueStore store, ClusterMirror mirror, EventLoop loop) {
        this.store = store;
        this.mirror = mirror;
        this.loop = loop;
        payloads = new PayloadReader(store, loop, mirror.keys(), cache, bell::ring);
        var source = new Replay.Source(store, loop, mirror.keys(), live, cache, bell::ring);
        replays = new Replays(source, () -> jobs);
        mirror.addListener(new Moves());
        mirror.showRecords((job, revision) -> {
            if (!watches.isEmpty()) {
                cache.put(new Version(job.id(), revision), job.payload());
            }
        });
    }

    @Override
    public CompletableFuture<JobWatch> watch(JobPath path, OptionalLong after) {
        if (closed) {
            return CompletableFuture.failedFuture(new HeadmastException.Unavailable("this server stops"));
        }
        if (watches.size() >= MAX_WATCHES) {
            return CompletableFuture.failedFuture(
                    new HeadmastException.Unavailable("too many watches are open here; try another server, or later"));
        }
        if (after.orElse(1) < 1) {
            return CompletableFuture.failedFuture(new HeadmastException.Invalid("revision", "must be at least 1"));
        }
        return mirror.read(after.orElse(1), mirror::revision)
                .thenCompose(at -> position(after, at))
                .thenApply(position -> open(path, position));
    }

    /** Ends all watches. */
    @Override
    public void close() {
        closed = true;
        replays.close();
        bell.ring();
    }

    /** @param at where the mirror stands */
    private CompletableFuture<Long> position(OptionalLong after, long at) {
        if (at == 0) {
            return CompletableFuture.failedFuture(
                    new HeadmastException.Unavailable("this server has yet to read the store; try again"));
        }
        if (after.isEmpty()) {
            // Not where the mirror stands, which may lag behind what the caller has seen done.
            return present();
        }
        long position = after.getAsLong();
        if (position > at) {
            return existing(position);
        }
        return isLiveAt(position) ? CompletableFuture.completedFuture(position) : kept(position);
    }

    /** The mirror doesn't know of revisions that only others than headmast made. */
    private CompletableFuture<Long> existing(long position) {
        return present().thenApply(present -> {
            if (present < position) {
                throw new HeadmastException.Invalid(
                        "revision", position + " is in the future, the store is at " + present);
            }
            return position;
        });
    }

    private CompletableFuture<Long> present() {
        return store.range(new RangeRequest(anyKey(), 1, 0)).thenApply(RangeResult::revision);
    }

    private CompletableFuture<Long> kept(long position) {
        return store.range(new RangeRequest(anyKey(), 1, position))
                .thenApply(answer -> position)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        SharedTxns.causeOf(failure) instanceof CompactedException
                                ? new HeadmastException.Gone("revision " + position
                                        + " is not in the store any more; start again from a list")
                                : failure));
    }

    private KeyRange anyKey() {
        return KeyRange.key(mirror.keys().leader());
    }

    private JobWatch open(JobPath path, long position) {
        FeedWatch watch = new FeedWatch(this, path, position);
        watches.add(watch);
        return watch;
    }

    void closed(FeedWatch watch) {
        watches.remove(watch);
        replays.leave(watch);
        if (watches.isEmpty()) {
            cache.clear();
            replays.forget();
        }
        bell.ring();
    }

    /** Whether what comes after that revision needs no replay. */
    boolean isLiveAt(long revision) {
        return live.covers(revision);
    }

    Bell bell() {
        return bell;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isFollowing() {
        return mirror.isFollowing();
    }

    long nanoTime() {
        return loop.nanoTime();
    }

    /** What comes after a position; empty while it has to be fetched. */
    Optional<EventLog.Stretch> read(FeedWatch watch, long position, int enough) {
        Optional<EventLog.Stretch> found = live.read(position, enough);
        if (found.isPresent()) {
            replays.leave(watch);
            return found;
        }
        return replays.read(watch, position, enough);
    }

    Optional<Payload> cached(Version version) {
        return cache.get(version);
    }

    /** How many payloads to {@link #load} at a time. */
    int loadSize() {
        return payloads.batch();
    }

    CompletableFuture<Map<Version, Payload>> load(List<PayloadReader.Wanted> wanted) {
        return payloads.read(wanted);
    }

    private final class Moves implements ClusterMirror.Listener {
        @Override
        public void moved(List<Difference<Fact>> differences) {
            Observer.Look look = mirror.observer().look();
            live.append(look.revision(), JobEvent.of(look, differences));
            jobs = mirror.state().recordCount();
            ringSoon();
        }

        /** When nothing differs, it is open what was passed over: until that is known, nothing later is told either. */
        @Override
        public void listed(List<Difference<Fact>> differences) {
            if (!differences.isEmpty() || live.upTo() == 0) {
                restart();
            }
        }

        @Override
        public void passedOver() {
            restart();
        }

        private void restart() {
            live.restart(mirror.revision());
            jobs = mirror.state().recordCount();
            ringSoon();
        }

        /** However many revisions come at once, those who wait are woken once. */
        private void ringSoon() {
            if (!ringing && !watches.isEmpty()) {
                ringing = true;
                mirror.loop().execute(() -> {
                    ringing = false;
                    bell.ring();
                });
            }
        }
    }
}
