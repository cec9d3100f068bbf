// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.CompactedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives watches the past that the live log doesn't have. One replay runs at a time, for all whose position it passes;
 * who waits longest is served first, together with those not far behind. The logs of the last few are kept for slow
 * readers. Thread-safe.
 */
final class Replays {
    private static final Logger LOG = LoggerFactory.getLogger(Replays.class);

    /** A replay holds a second copy of the cluster for a while: beyond so many jobs it isn't worth its memory. */
    private static final long MAX_JOBS = 250_000;

    /** How many revisions earlier than the one who waits longest a replay may begin. */
    private static final long NEAR = 10_000;

    private static final int KEPT = 2;

    /** After a restart many come at once: so they share. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private static final Duration PAUSE_AFTER_TROUBLE = Duration.ofMillis(500);

    private final Replay.Source source;
    private final LongSupplier jobs;
    private final Map<Object, Long> waiting = new LinkedHashMap<>();
    private final Map<Object, HeadmastException> refused = new LinkedHashMap<>();
    private final Deque<Replay> past = new ArrayDeque<>();
    private @Nullable Replay current;
    private Duration pause = GATHER;
    private boolean scheduled;
    private boolean closed;

    /** @param jobs how many jobs there are */
    Replays(Replay.Source source, LongSupplier jobs) {
        this.source = source;
        this.jobs = jobs;
    }

    /**
     * What comes after a position; empty while it is on its way.
     *
     * @throws HeadmastException.Gone if the store doesn't have it any more
     */
    synchronized Optional<EventLog.Stretch> read(Object asker, long position, int enough) {
        HeadmastException refusal = refused.remove(asker);
        if (refusal != null) {
            throw refusal;
        }
        Replay running = current;
        if (running != null && running.log().covers(position)) {
            Optional<EventLog.Stretch> found = ahead(running, position, enough);
            if (found.isPresent()) {
                waiting.remove(asker);
            }
            return found;
        }
        for (Replay replay : past) {
            Optional<EventLog.Stretch> found = ahead(replay, position, enough);
            if (found.isPresent()) {
                waiting.remove(asker);
                return found;
            }
        }
        waiting.putIfAbsent(asker, position);
        startLater();
        return Optional.empty();
    }

    /** A watch has ended, or found what it was waiting for elsewhere. */
    synchronized void leave(Object asker) {
        waiting.remove(asker);
        refused.remove(asker);
    }

    /** Nobody watches any more. */
    synchronized void forget() {
        past.clear();
    }

    synchronized void close() {
        closed = true;
        forget();
        Replay running = current;
        if (running != null) {
            source.loop().execute(() -> running.end(Optional.empty()));
        }
    }

    private static Optional<EventLog.Stretch> ahead(Replay replay, long position, int enough) {
        return replay.log().read(position, enough).filter(stretch -> stretch.upTo() > position);
    }

    private void startLater() {
        if (current == null && !scheduled && !closed && !waiting.isEmpty()) {
            scheduled = true;
            var unused = source.loop().schedule(pause, this::start);
        }
    }

    private synchronized void start() {
        scheduled = false;
        if (closed || waiting.isEmpty()) {
            return;
        }
        if (jobs.getAsLong() > MAX_JOBS) {
            refuse(Long.MAX_VALUE, "there are too many jobs to go back to old revisions; start again from a list");
            return;
        }
        long longest = waiting.values().iterator().next();
        long from = waiting.values().stream()
                .mapToLong(Long::longValue)
                .filter(position -> position <= longest && position >= longest - NEAR)
                .min()
                .orElse(longest);
        LOG.info("replays history for watches from={} waiting={}", from, waiting.size());
        Replay replay = new Replay(source, from, this::ended);
        current = replay;
        replay.start();
    }

    private synchronized void ended(Optional<Throwable> trouble) {
        Replay done = current;
        if (done == null) {
            return;
        }
        LOG.info(
                "replay ended from={} to={} events={} trouble={}",
                done.from(),
                done.log().upTo(),
                done.log().size(),
                trouble.map(Throwable::toString).orElse("none"));
        current = null;
        if (done.log().upTo() > done.from()) {
            past.addFirst(done);
        }
        while (past.size() > KEPT) {
            past.removeLast();
        }
        if (trouble.orElse(null) instanceof CompactedException compacted) {
            refuse(
                    Math.max(done.from() + 1, compacted.compactRevision()),
                    "the store's history was compacted since; start again from a list");
        }
        // Who still needs more asks again; whoever doesn't look any more costs nothing.
        waiting.values().removeIf(position -> position >= done.from());
        pause = trouble.isPresent() ? PAUSE_AFTER_TROUBLE : GATHER;
        startLater();
        source.news().run();
    }

    /** Those whose position is before that revision can't be served. */
    private void refuse(long before, String why) {
        Iterator<Map.Entry<Object, Long>> all = waiting.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Object, Long> entry = all.next();
            if (entry.getValue() < before) {
                all.remove();
                refused.put(
                        entry.getKey(),
                        new HeadmastException.Gone("can't go on after revision " + entry.getValue() + ": " + why));
            }
        }
        source.news().run();
    }
}
