// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.api.HeadmastException;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's way to a store, which counts what goes over it and fails as networks do. A call whose answer doesn't come
 * fails after {@link #CALL_LIMIT}, as the port says: writes with {@code Indeterminate}, the rest with {@code
 * Unavailable}.
 */
public final class FaultyStore implements KeyValueStore {
    public static final Duration CALL_LIMIT = Duration.ofSeconds(1);

    /** How long an answer is under way unless {@link #latency} says otherwise. */
    private static final Duration LATENCY = Duration.ofMillis(1);

    /** What becomes of a transaction. */
    public enum Fate {
        DELIVERED,
        /** It never reaches the store, and nobody knows. */
        REQUEST_LOST,
        /** It is applied, and nobody knows. */
        ANSWER_LOST,
        /** It is applied long after the caller gave up. */
        APPLIED_LATE,
        /** The store refuses it. */
        REFUSED
    }

    private static final Duration LATE = Duration.ofMillis(2500);

    private final KeyValueStore store;
    private final EventLoop time;
    private final FaultyWatches watches = new FaultyWatches();
    private Function<Txn, Fate> fates = txn -> Fate.DELIVERED;
    private Supplier<Duration> latency = () -> LATENCY;
    private boolean cut;
    private long txns;
    private long ranges;
    private long keepAlives;

    public FaultyStore(KeyValueStore store, EventLoop time) {
        this.store = store;
        this.time = time;
    }

    /** Decides what becomes of each transaction from now on. */
    public void fates(Function<Txn, Fate> next) {
        fates = next;
    }

    /** Decides how long each answer is under way from now on. */
    public void latency(Supplier<Duration> next) {
        latency = next;
    }

    /** Nothing reaches the store and nothing comes from it, until {@link #heal}. */
    public void cut() {
        cut = true;
        watches.hold();
    }

    /** Ends {@link #cut} and {@link #holdWatches}: the watches deliver what they missed. */
    public void heal() {
        cut = false;
        watches.release();
    }

    /** The watches see nothing, and nothing tells of it. */
    public void holdWatches() {
        watches.hold();
    }

    /** Watches pass over these events, which a store must never do. */
    public void loseEvents(Predicate<WatchEvent> lost) {
        watches.lose(lost);
    }

    /** Breaks every watch. */
    public void breakWatches() {
        watches.breakAll(new HeadmastException.Unavailable("connection reset"));
    }

    /** Transactions sent so far. */
    public long txns() {
        return txns;
    }

    /** Range reads sent so far. */
    public long ranges() {
        return ranges;
    }

    /** Renewals sent so far. */
    public long keepAlives() {
        return keepAlives;
    }

    /** Watches that are open. */
    public int openWatches() {
        return watches.open();
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        ranges++;
        return read(() -> store.range(request));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        txns++;
        return switch (cut ? Fate.REQUEST_LOST : fates.apply(txn)) {
            case DELIVERED -> write(() -> store.txn(txn));
            case REQUEST_LOST -> indeterminate();
            case ANSWER_LOST -> {
                apply(txn);
                yield indeterminate();
            }
            case APPLIED_LATE -> {
                var unused = time.schedule(LATE, () -> apply(txn));
                yield indeterminate();
            }
            case REFUSED -> CompletableFuture.failedFuture(new HeadmastException.Unavailable("not now"));
        };
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        return watches.open(store, request, listener);
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        return write(() -> store.grantLease(ttl));
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        keepAlives++;
        return write(() -> store.keepAlive(leaseId));
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return read(() -> store.timeToLive(leaseId));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return write(() -> store.revokeLease(leaseId));
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return write(() -> store.compact(revision));
    }

    /** Ends the watches; the store itself goes on for others. */
    @Override
    public void close() {
        watches.closeAll();
    }

    private void apply(Txn txn) {
        var unused = store.txn(txn);
    }

    /** An answer that comes while the way is cut doesn't arrive. */
    private <T> CompletableFuture<T> read(Supplier<CompletableFuture<T>> call) {
        return through(call, new HeadmastException.Unavailable("no answer"));
    }

    private <T> CompletableFuture<T> write(Supplier<CompletableFuture<T>> call) {
        return through(call, new HeadmastException.Indeterminate("no answer"));
    }

    private <T> CompletableFuture<T> through(Supplier<CompletableFuture<T>> call, HeadmastException noAnswer) {
        var answer = new CompletableFuture<T>();
        if (!cut) {
            var unused = call.get()
                    .whenComplete(
                            (value, failure) -> time.schedule(latency.get(), () -> arrive(answer, value, failure)));
        }
        var timer = time.schedule(CALL_LIMIT, () -> answer.completeExceptionally(noAnswer));
        var unused = answer.whenComplete((value, failure) -> timer.cancel());
        return answer;
    }

    private <T> void arrive(CompletableFuture<T> answer, T value, @Nullable Throwable failure) {
        if (cut) {
            return;
        }
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    private CompletableFuture<TxnResult> indeterminate() {
        var answer = new CompletableFuture<TxnResult>();
        var unused = time.schedule(
                CALL_LIMIT, () -> answer.completeExceptionally(new HeadmastException.Indeterminate("no answer")));
        return answer;
    }
}
