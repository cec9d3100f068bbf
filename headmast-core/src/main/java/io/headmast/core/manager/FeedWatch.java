// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.JobChange;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.core.manager.PayloadCache.Version;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A position in the feed, and what has been fetched from there on. */
final class FeedWatch implements JobWatch {
    /** How long a watch stands still for reasons of this server's before its reader had better go elsewhere. */
    private static final Duration STALL_LIMIT = Duration.ofSeconds(30);

    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    /** How many events are looked at, with the rest of their revision, before what was found is told. */
    private static final int STRETCH = 256;

    private final StoreJobFeed feed;
    private final JobPath path;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private volatile boolean closed;

    /** Everything up to here has been told. */
    private long position;

    /** When all that is pending has been told, everything up to here has been. */
    private long stretchEnd;

    private Map<Version, Payload> held = Map.of();
    private @Nullable CompletableFuture<Map<Version, Payload>> load;
    private boolean stalled;
    private long stalledSince;

    /** A change that is to be told, and the latest revision at which its record was the one it shows. */
    private record Pending(long revision, JobChange change, long recordAt, boolean last) {
        Version version() {
            return new Version(change.job().job().id(), change.job().revision());
        }
    }

    FeedWatch(StoreJobFeed feed, JobPath path, long after) {
        this.feed = feed;
        this.path = path;
        this.position = after;
    }

    @Override
    public Notice next(Duration limit) throws InterruptedException {
        Duration bounded = limit.compareTo(LONGEST_WAIT) < 0 ? limit : LONGEST_WAIT;
        long until = System.nanoTime() + bounded.toNanos();
        while (true) {
            long seen = feed.bell().rings();
            Optional<Notice> change = poll();
            if (change.isPresent()) {
                return change.get();
            }
            long left = until - System.nanoTime();
            if (left <= 0) {
                return new Progress(position);
            }
            feed.bell().await(seen, left);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            feed.closed(this);
        }
    }

    /** What is there already; it never waits. */
    private Optional<Notice> poll() {
        while (true) {
            if (closed || feed.isClosed()) {
                throw new HeadmastException.Unavailable("the watch was ended; take it up again from its last revision");
            }
            if (!pending.isEmpty()) {
                return tell();
            }
            Optional<EventLog.Stretch> stretch = feed.read(this, position, STRETCH);
            if (stretch.isEmpty() || stretch.get().upTo() <= position) {
                if (stretch.isPresent() && feed.isFollowing()) {
                    stalled = false;
                } else {
                    requireNoLongStall();
                }
                return Optional.empty();
            }
            stalled = false;
            take(stretch.get());
        }
    }

    private void take(EventLog.Stretch stretch) {
        for (JobEvent event : stretch.events()) {
            event.on(path).ifPresent(change -> {
                Pending previous = pending.peekLast();
                if (previous != null && previous.revision() == event.revision()) {
                    pending.removeLast();
                    pending.add(new Pending(previous.revision(), previous.change(), previous.recordAt(), false));
                }
                // What is told to be gone was there until just before.
                int ago = change.reason() == ChangeReason.DELETED ? 1 : 0;
                pending.add(new Pending(event.revision(), change, event.revision() - ago, true));
            });
        }
        stretchEnd = stretch.upTo();
        if (pending.isEmpty()) {
            position = stretchEnd;
        }
    }

    private Optional<Notice> tell() {
        Pending head = pending.element();
        Optional<Payload> payload = payload(head);
        if (payload.isEmpty()) {
            requireNoLongStall();
            return Optional.empty();
        }
        stalled = false;
        pending.remove();
        if (pending.isEmpty()) {
            position = stretchEnd;
        } else if (head.last()) {
            position = head.revision();
        }
        JobView light = head.change().job();
        JobView whole =
                new JobView(light.job().toBuilder().payload(payload.get()).build(), light.revision(), light.state());
        return Optional.of(
                new Change(head.revision(), new JobChange(head.change().reason(), whole), head.last()));
    }

    private Optional<Payload> payload(Pending head) {
        Optional<Payload> known = Optional.ofNullable(held.get(head.version())).or(() -> feed.cached(head.version()));
        if (known.isPresent()) {
            return known;
        }
        if (load == null) {
            load = feed.load(missing());
        }
        if (!load.isDone()) {
            return Optional.empty();
        }
        try {
            held = load.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof HeadmastException.Gone gone) {
                throw gone;
            }
            // Asked again when it is next looked at: the failure came after a pause.
            held = Map.of();
        }
        load = null;
        return Optional.ofNullable(held.get(head.version()));
    }

    /** The head's payload and the next ones that aren't at hand. */
    private List<PayloadReader.Wanted> missing() {
        Set<Version> versions = new LinkedHashSet<>();
        List<PayloadReader.Wanted> wanted = new ArrayList<>();
        for (Pending next : pending) {
            if (wanted.size() >= feed.loadSize()) {
                break;
            }
            if (feed.cached(next.version()).isEmpty() && versions.add(next.version())) {
                wanted.add(new PayloadReader.Wanted(next.version(), next.recordAt()));
            }
        }
        return wanted;
    }

    private void requireNoLongStall() {
        long now = feed.nanoTime();
        if (!stalled) {
            stalled = true;
            stalledSince = now;
        } else if (now - stalledSince > STALL_LIMIT.toNanos()) {
            throw new HeadmastException.Unavailable(
                    "this server can't tell what changed after revision " + position + "; try another one, or later");
        }
    }
}
