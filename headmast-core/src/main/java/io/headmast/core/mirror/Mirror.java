// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local copy of everything under a prefix, as of one revision: it lists at revision R and watches from R + 1, and
 * applies what it sees revision by revision. Whenever the watch ends, falls silent, or overruns its inbox, it lists
 * again and emits the differences against what it knew, so a lost event costs time and never a change. A resync does
 * the same now and then without any cause. The idea is client-go's reflector.
 *
 * <p>It belongs to its loop: every method must be called there, and the listener is called there. The store's threads
 * only put events into the inbox. Between two calls of the listener the copy doesn't change, and it never goes back to
 * an older revision.
 */
public final class Mirror<V> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(2);
    private static final int PROGRESS_ASKS = 3;

    private final KeyValueStore store;
    private final EventLoop loop;
    private final KeyRange range;
    private final Projection<V> projection;
    private final MirrorOptions options;
    private final MirrorListener<V> listener;
    private final NavigableMap<String, Entry<V>> entries = new TreeMap<>();

    private long revision;
    private volatile boolean following;
    private boolean closed;
    private Duration retry = FIRST_RETRY;
    private @Nullable Listing listing;
    private @Nullable Inbox inbox;
    private @Nullable Watch watch;
    private EventLoop.Timer resyncTimer = () -> {};
    private EventLoop.Timer silenceTimer = () -> {};
    private int silentAsks;

    /** How often the watch broke since it brought something. */
    private int breaks;

    public Mirror(MirrorSource source, Projection<V> projection, MirrorOptions options, MirrorListener<V> listener) {
        this.store = source.store();
        this.loop = source.loop();
        this.range = source.range();
        this.projection = projection;
        this.options = options;
        this.listener = listener;
    }

    /** Begins to list; the listener is called when that is complete. */
    public void start() {
        list("start");
    }

    /** The revision that the copy is as of; 0 before the first listing. */
    public long revision() {
        return revision;
    }

    /** Whether a watch is keeping it up to date, as far as is known; from any thread. */
    public boolean isFollowing() {
        return following;
    }

    /** A read-only view by ascending key; valid until the next task of the loop. */
    public NavigableMap<String, Entry<V>> entries() {
        return Collections.unmodifiableNavigableMap(entries);
    }

    /** Lists everything again; what differs is emitted. */
    public void resync(String reason) {
        list(reason);
    }

    @Override
    public void close() {
        closed = true;
        stopFollowing();
    }

    private void list(String reason) {
        if (closed) {
            return;
        }
        LOG.debug("mirror lists prefix={} reason={}", range.from(), reason);
        stopFollowing();
        Listing current = new Listing(store, range, loop);
        listing = current;
        current.start((at, items) -> listed(current, at, items), failure -> retryLater(current, failure));
    }

    private void retryLater(Listing failed, Throwable failure) {
        if (failed != listing || closed) {
            return;
        }
        LOG.warn("mirror can't list; tries again prefix={} in={} cause={}", range.from(), retry, failure.toString());
        listLater("retry");
    }

    /** A watch that keeps ending before it brought anything is not worth a listing each time it does. */
    private void watchBroke(String cause) {
        if (breaks++ == 0) {
            list(cause);
        } else {
            LOG.warn("mirror's watch broke again; lists later prefix={} in={} cause={}", range.from(), retry, cause);
            stopFollowing();
            listLater(cause);
        }
    }

    private void listLater(String reason) {
        resyncTimer = loop.schedule(retry, () -> list(reason));
        retry = retry.multipliedBy(2).compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
    }

    private void listed(Listing done, long at, List<KeyValue> items) {
        if (done != listing || closed) {
            return;
        }
        listing = null;
        if (breaks == 0) {
            retry = FIRST_RETRY;
        }
        List<Difference<V>> differences = replaceAll(items);
        follow(at);
        move(at, differences);
    }

    /** Makes the copy equal to a listing; whatever was known and isn't listed is gone. */
    private List<Difference<V>> replaceAll(List<KeyValue> items) {
        List<Difference<V>> differences = new ArrayList<>();
        NavigableMap<String, Entry<V>> gone = new TreeMap<>(entries);
        for (KeyValue item : items) {
            Entry<V> before = gone.remove(item.key());
            if (before == null || before.modRevision() != item.modRevision()) {
                put(item, differences);
            }
        }
        gone.keySet().forEach(key -> delete(key, differences));
        return differences;
    }

    private void follow(long at) {
        Inbox current = new Inbox(loop, this::drain);
        inbox = current;
        watch = store.watch(new WatchRequest(range, at + 1), current);
        following = true;
        silentAsks = 0;
        long resync = options.resyncEvery().toMillis();
        resyncTimer = loop.schedule(
                Duration.ofMillis(resync + options.random().nextLong(resync / 5 + 1)), () -> list("resync"));
        silenceTimer = loop.schedule(askEvery(), this::checkSilence);
    }

    private void stopFollowing() {
        following = false;
        listing = null;
        inbox = null;
        resyncTimer.cancel();
        silenceTimer.cancel();
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    private Duration askEvery() {
        return options.silenceLimit().dividedBy(PROGRESS_ASKS + 1);
    }

    private void checkSilence() {
        if (watch == null) {
            return;
        }
        if (silentAsks >= PROGRESS_ASKS) {
            list("the watch is silent");
            return;
        }
        silentAsks++;
        watch.requestProgress();
        silenceTimer = loop.schedule(askEvery(), this::checkSilence);
    }

    private void drain(Inbox from) {
        if (from != inbox) {
            return;
        }
        Inbox.Content content = from.take();
        silentAsks = 0;
        if (content.upTo() > 0) {
            breaks = 0;
            retry = FIRST_RETRY;
        }
        List<Difference<V>> differences = new ArrayList<>();
        for (WatchEvent event : content.events()) {
            if (event.revision() > revision) {
                apply(event, differences);
            }
        }
        if (content.upTo() > revision) {
            move(content.upTo(), differences);
        }
        if (from == inbox) {
            content.broken().ifPresent(cause -> watchBroke(cause.toString()));
        }
    }

    private void apply(WatchEvent event, List<Difference<V>> differences) {
        if (event instanceof WatchEvent.Put put) {
            put(put.current(), differences);
        } else {
            delete(event.key(), differences);
        }
    }

    private void put(KeyValue item, List<Difference<V>> differences) {
        Optional<V> value = projection.project(item);
        if (value.isEmpty()) {
            delete(item.key(), differences);
            return;
        }
        Entry<V> after = new Entry<>(value.get(), item.createRevision(), item.modRevision(), item.lease());
        Entry<V> before = entries.put(item.key(), after);
        differences.add(new Difference<>(item.key(), Optional.ofNullable(before), Optional.of(after)));
    }

    private void delete(String key, List<Difference<V>> differences) {
        Entry<V> before = entries.remove(key);
        if (before != null) {
            differences.add(new Difference<>(key, Optional.of(before), Optional.empty()));
        }
    }

    private void move(long to, List<Difference<V>> differences) {
        revision = to;
        listener.moved(to, differences);
    }
}
