// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A local copy of everything under a prefix, as of one revision: it lists at revision R and watches from R + 1, and
 * applies what it sees revision by revision, each with a call of the listener of its own. Whenever the watch ends, falls silent, or overruns its inbox, it lists
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
    private final MirrorOptions options;
    private final MirrorListener<V> listener;
    private final Copy<V> copy;

    private long revision;

    /** Everything up to here was told. It stays behind the revision while it is open what a listing passed over. */
    private long told;

    /** Whether the store may still have what follows {@link #told}. */
    private boolean resumable = true;

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
        this.copy = new Copy<>(projection);
        this.options = options;
        this.listener = listener;
    }

    /** Begins to list; the listener is called when that is complete. */
    public void start() {
        list("start");
    }

    /**
     * Begins with the listing as of an older revision, and catches up from there. When the store doesn't have it any
     * more, the listener is told so, and the mirror begins with the present.
     */
    public void startAt(long at) {
        list("start", at);
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
        return copy.entries();
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
        list(reason, 0);
    }

    private void list(String reason, long at) {
        if (closed) {
            return;
        }
        LOG.debug("mirror lists prefix={} reason={}", range.from(), reason);
        stopFollowing();
        Listing current = new Listing(store, new RangeRequest(range, Listing.FIRST_PAGE, at), loop);
        Map<String, Entry<V>> found = new LinkedHashMap<>();
        listing = current;
        current.start(new Listing.Reader() {
            @Override
            public void page(List<KeyValue> items) {
                if (current == listing) {
                    items.forEach(item -> copy.stage(item, found));
                }
            }

            @Override
            public void complete(long revision) {
                listed(current, revision, found);
            }

            @Override
            public void failed(Throwable cause) {
                retryLater(current, cause);
            }
        });
    }

    private void retryLater(Listing failed, Throwable failure) {
        if (failed != listing || closed) {
            return;
        }
        LOG.warn("mirror can't list; tries again prefix={} in={} cause={}", range.from(), retry, failure.toString());
        listLater("retry");
        listener.troubled(failure);
    }

    /** A watch that keeps ending before it brought anything is not worth a listing each time it does. */
    private void watchBroke(Throwable cause) {
        resumable &= !(cause instanceof CompactedException);
        if (breaks++ == 0) {
            list(cause.toString());
        } else {
            LOG.warn(
                    "mirror's watch broke again; lists later prefix={} in={} cause={}",
                    range.from(),
                    retry,
                    cause.toString());
            stopFollowing();
            listLater(cause.toString());
        }
        listener.troubled(cause);
    }

    private void listLater(String reason) {
        resyncTimer = loop.schedule(retry, () -> list(reason));
        retry = retry.multipliedBy(2).compareTo(LAST_RETRY) < 0 ? retry.multipliedBy(2) : LAST_RETRY;
    }

    /**
     * When nothing differs, the watch goes on from where it was: should keys have come and gone in between, it brings
     * them, and shows that there were none when it brings something later.
     */
    private void listed(Listing done, long at, Map<String, Entry<V>> found) {
        if (done != listing || closed) {
            return;
        }
        listing = null;
        if (breaks == 0) {
            retry = FIRST_RETRY;
        }
        List<Difference<V>> differences = copy.replaceAll(found);
        boolean resumes = told != 0 && resumable && differences.isEmpty();
        boolean unknown = told != 0 && !resumable;
        told = resumes ? told : at;
        resumable = true;
        revision = at;
        follow(told);
        listener.listed(at, differences);
        if (unknown) {
            listener.passedOver();
        }
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
        List<WatchEvent> events = content.events();
        int next = 0;
        while (next < events.size() && from == inbox) {
            next = applyRevision(events, next);
        }
        boolean proved = content.upTo() == revision && told < revision;
        if (from == inbox && (content.upTo() > revision || proved)) {
            move(content.upTo(), List.of());
        }
        if (from == inbox) {
            content.broken().ifPresent(this::watchBroke);
        }
    }

    /** Applies the events of the revision that begins at an index, and tells the index of the next revision's. */
    private int applyRevision(List<WatchEvent> events, int begin) {
        long at = events.get(begin).revision();
        int end = begin;
        List<Difference<V>> differences = new ArrayList<>();
        while (end < events.size() && events.get(end).revision() == at) {
            if (at > revision) {
                copy.apply(events.get(end), differences);
            }
            end++;
        }
        if (at > revision) {
            move(at, differences);
        } else if (at > told) {
            // A listing passed over it: what it did was undone before that.
            told = revision;
            listener.passedOver();
        }
        return end;
    }

    private void move(long to, List<Difference<V>> differences) {
        revision = to;
        told = to;
        listener.moved(to, differences);
    }
}
