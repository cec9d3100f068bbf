// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A store that is another one but for what a subclass changes. */
public abstract class ChangedStore implements KeyValueStore {
    private final KeyValueStore store;

    protected ChangedStore(KeyValueStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        return store.range(request);
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        return store.txn(txn);
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
