// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a store that counts the transactions that put something, and lets their answers take a while. */
final class SlowCountingStore implements KeyValueStore {
    private final KeyValueStore store;
    private final Duration latency;
    private final AtomicInteger puts = new AtomicInteger();

    SlowCountingStore(KeyValueStore store, Duration latency) {
        this.store = store;
        this.latency = latency;
    }

    /** Transactions sent so far that put something. */
    int puts() {
        return puts.get();
    }

    private static boolean puts(Txn txn) {
        return txn.success().stream()
                .anyMatch(op -> op instanceof Op.Put || (op instanceof Op.Nested nested && puts(nested.txn())));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        if (!puts(txn)) {
            return store.txn(txn);
        }
        puts.incrementAndGet();
        return store.txn(txn)
                .thenApplyAsync(
                        result -> result, CompletableFuture.delayedExecutor(latency.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        return store.range(request);
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        return store.watch(request, listener);
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        return store.grantLease(ttl);
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        return store.keepAlive(leaseId);
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return store.timeToLive(leaseId);
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return store.revokeLease(leaseId);
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return store.compact(revision);
    }

    @Override
    public void close() {
        store.close();
    }
}
