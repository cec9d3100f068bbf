// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.manager.PayloadCache.Version;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the payloads of given versions of records from the store: many with one read, the latest ones first; what is not
 * that version any more is read as of older revisions, again many with one read. What several ask for is read once.
 *
 * <p>{@link #read} may be called from any thread; the rest happens on its loop.
 */
final class PayloadReader {
    private static final int MAX_BATCH = 64;
    private static final int FIRST_BATCH = 8;
    private static final int GROWTH = 4;
    private static final long BATCH_BYTES = 512 << 10;
    private static final int MAX_IN_FLIGHT = 4;
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final Keys keys;
    private final PayloadCache cache;
    private final Runnable settled;
    private final Map<Version, Wanted> waiting = new LinkedHashMap<>();
    private final Map<Version, Wanted> inFlight = new LinkedHashMap<>();
    private int reads;
    private volatile int batch = FIRST_BATCH;

    /** @param settled called on the loop when something that was asked for has come, or failed */
    PayloadReader(KeyValueStore store, EventLoop loop, Keys keys, PayloadCache cache, Runnable settled) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.cache = cache;
        this.settled = settled;
    }

    /** A version that is wanted, and the latest revision at which the record is known to have been it. */
    record Wanted(Version version, long at, CompletableFuture<Payload> payload) {
        Wanted(Version version, long at) {
            this(version, at, new CompletableFuture<>());
        }
    }

    /** How many to ask for at a time: few when they are large. */
    int batch() {
        return batch;
    }

    /**
     * @return fails with {@code Gone} if the store doesn't have one of them any more, and with {@code Unavailable}, after
     *     a little while, if it doesn't answer
     */
    CompletableFuture<Map<Version, Payload>> read(List<Wanted> all) {
        CompletableFuture<Map<Version, Payload>> answer = new CompletableFuture<>();
        loop.execute(() -> {
            Map<Version, CompletableFuture<Payload>> parts = new LinkedHashMap<>();
            all.forEach(wanted -> parts.put(wanted.version(), enqueue(wanted)));
            CompletableFuture<?>[] every = parts.values().toArray(CompletableFuture<?>[]::new);
            var unused = CompletableFuture.allOf(every).whenComplete((done, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(SharedTxns.causeOf(failure));
                } else {
                    Map<Version, Payload> payloads = new LinkedHashMap<>();
                    parts.forEach((version, part) -> payloads.put(version, part.join()));
                    answer.complete(payloads);
                }
            });
            pump();
        });
        return answer;
    }

    private CompletableFuture<Payload> enqueue(Wanted wanted) {
        Wanted same = inFlight.getOrDefault(wanted.version(), waiting.get(wanted.version()));
        if (same == null) {
            waiting.put(wanted.version(), wanted);
            return wanted.payload();
        }
        return same.payload();
    }

    private void pump() {
        while (reads < MAX_IN_FLIGHT && !waiting.isEmpty()) {
            List<Wanted> some = waiting.values().stream().limit(batch).toList();
            some.forEach(wanted -> {
                waiting.remove(wanted.version());
                inFlight.put(wanted.version(), wanted);
            });
            reads++;
            read(some, 0);
        }
    }

    /** @param revision to read at; 0 for the latest */
    private void read(List<Wanted> some, long revision) {
        List<Op> gets = new ArrayList<>();
        some.forEach(wanted -> gets.add(Op.get(keys.job(wanted.version().jobId()), revision)));
        loop.when(
                store.txn(Txn.of(gets)),
                result -> take(some, revision, result),
                failure -> fail(some, revision, failure));
    }

    private void take(List<Wanted> some, long revision, TxnResult result) {
        List<Wanted> others = new ArrayList<>();
        long bytes = 1;
        for (int i = 0; i < some.size(); i++) {
            Wanted wanted = some.get(i);
            boolean found = false;
            for (KeyValue record : result.got(i)) {
                bytes += record.value().size();
                if (record.modRevision() == wanted.version().revision()) {
                    done(wanted, record);
                    found = true;
                }
            }
            if (!found && revision == wanted.at()) {
                fail(wanted, new HeadmastException.Gone("the store's history is another than it was; list again"));
            } else if (!found) {
                others.add(wanted);
            }
        }
        long fitting = Math.max(1, BATCH_BYTES * some.size() / bytes);
        batch = (int) Math.min(Math.min(MAX_BATCH, fitting), (long) batch * GROWTH);
        if (others.isEmpty()) {
            readDone();
        } else {
            read(others, others.stream().mapToLong(Wanted::at).max().orElseThrow());
        }
    }

    private void done(Wanted wanted, KeyValue record) {
        Payload payload = Job.unmarshalBinary(record.value().toByteArray()).payload();
        inFlight.remove(wanted.version());
        cache.put(wanted.version(), payload);
        wanted.payload().complete(payload);
    }

    private void fail(List<Wanted> some, long revision, Throwable failure) {
        if (failure instanceof CompactedException) {
            // None of them is known to have lasted longer than the revision that was read at.
            var gone = new HeadmastException.Gone(
                    "revision " + revision + " is not in the store any more; start again from a list");
            some.forEach(wanted -> fail(wanted, gone));
            readDone();
            return;
        }
        var unavailable = new HeadmastException.Unavailable("the store does not answer: " + failure.getMessage());
        var unused = loop.schedule(PAUSE_AFTER_FAILURE, () -> {
            some.forEach(wanted -> fail(wanted, unavailable));
            readDone();
        });
    }

    private void fail(Wanted wanted, HeadmastException failure) {
        inFlight.remove(wanted.version());
        wanted.payload().completeExceptionally(failure);
    }

    private void readDone() {
        reads--;
        settled.run();
        pump();
    }
}
