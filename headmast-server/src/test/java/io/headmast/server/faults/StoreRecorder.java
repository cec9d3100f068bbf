// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.json.Json;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.testing.Await;
import io.headmast.server.faults.check.Inconclusive;
import io.headmast.server.faults.check.Revision;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Writes down everything that ever happens in a fresh store: a watch of all keys from the first revision, opened again
 * after the last one seen whenever it breaks or falls silent. It needs the store for itself: that nothing was missed
 * shows in the revisions, which then leave no gap, and in a listing at the end. Thread-safe.
 */
final class StoreRecorder implements AutoCloseable {
    private static final KeyRange EVERYTHING = new KeyRange("\0", "");
    private static final long FIRST = 2;
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(30);

    private final KeyValueStore store;
    private final ScheduledExecutorService minder = Executors.newSingleThreadScheduledExecutor();

    // Guarded by this.
    private final List<Seen> seen = new ArrayList<>();
    private Watch watch;
    private long heardAt;
    private boolean broken;
    private int breaks;
    private boolean overtaken;

    /**
     * A revision, and when it was seen by the machine's monotonic clock: it was committed before that.
     */
    record Seen(Revision revision, long at) {}

    /** What the store held, and the history that led there. */
    record Whole(List<Seen> history, List<KeyValue> last) {
        /** Writes the history for people, a line to a change. */
        void write(Path file) {
            List<String> lines = new ArrayList<>();
            for (Seen one : history) {
                String when = one.revision().number() + " seen " + one.at();
                for (WatchEvent change : one.revision().changes()) {
                    lines.add(
                            change instanceof WatchEvent.Put put
                                    ? when + " put " + change.key() + " lease "
                                            + Long.toHexString(put.current().lease()) + " "
                                            + Json.quote(put.current().value().toText())
                                    : when + " delete " + change.key());
                }
            }
            try {
                Files.write(file, lines);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Begins; {@code store} is closed with it, and leads to the store directly. */
    StoreRecorder(KeyValueStore store) {
        this.store = store;
        open();
        var unused = minder.scheduleWithFixedDelay(this::mind, 200, 200, TimeUnit.MILLISECONDS);
    }

    /** What was seen so far. */
    synchronized List<Seen> history() {
        return List.copyOf(seen);
    }

    /** The last revision seen. */
    synchronized long revision() {
        return seen.isEmpty() ? FIRST - 1 : seen.get(seen.size() - 1).revision().number();
    }

    /** How often the watch had to be opened again. */
    synchronized int breaks() {
        return breaks;
    }

    /** Waits until everything up to {@code revision} was seen. */
    void await(long revision) {
        Await.until("the recorder is at " + revision, CATCH_UP_LIMIT, this::revision, () -> revision() >= revision);
    }

    /**
     * Lists the store and waits for the history to come there.
     *
     * @throws Inconclusive if a compaction has taken away what was not seen yet
     */
    Whole finish() {
        RangeResult listing = Await.value(store.range(RangeRequest.of(EVERYTHING)), ANSWER_LIMIT);
        synchronized (this) {
            if (overtaken) {
                throw new Inconclusive("a compaction overtook the recorder after revision " + revision());
            }
        }
        await(listing.revision());
        List<Seen> history = history().stream()
                .filter(one -> one.revision().number() <= listing.revision())
                .toList();
        return new Whole(history, listing.items());
    }

    @Override
    public void close() {
        minder.shutdownNow();
        store.close();
    }

    private synchronized void open() {
        broken = false;
        heardAt = System.nanoTime();
        watch = store.watch(new WatchRequest(EVERYTHING, revision() + 1), new Listener());
    }

    /** Opens the watch again if it has ended, or is silent although it was asked whether it lives. */
    private synchronized void mind() {
        if (!overtaken && (broken || System.nanoTime() - heardAt > SILENCE_NANOS)) {
            breaks++;
            watch.close();
            open();
        } else if (!overtaken) {
            watch.requestProgress();
        }
    }

    private final class Listener implements WatchListener {
        private boolean ended;

        @Override
        public void onEvents(long revision, List<WatchEvent> events) {
            long at = System.nanoTime();
            synchronized (StoreRecorder.this) {
                heardAt = at;
                if (!ended) {
                    events.stream()
                            .filter(event -> event.revision() > revision())
                            .collect(Collectors.groupingBy(WatchEvent::revision, TreeMap::new, Collectors.toList()))
                            .forEach((number, changes) -> seen.add(new Seen(new Revision(number, changes), at)));
                }
            }
        }

        @Override
        public void onProgress(long revision) {
            synchronized (StoreRecorder.this) {
                heardAt = System.nanoTime();
            }
        }

        @Override
        public void onBroken(Throwable cause) {
            synchronized (StoreRecorder.this) {
                ended = true;
                broken = true;
                overtaken |= cause instanceof CompactedException;
            }
        }
    }
}
