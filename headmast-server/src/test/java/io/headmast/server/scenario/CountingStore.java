// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A way to a store that counts the transactions on it, and lets each take at least a while, as a network does: what is
 * batched depends on that. Closing it closes the store only if it owns that.
 */
final class CountingStore extends ChangedStore {
    private final boolean owned;
    private final Executor later;
    private final AtomicLong txns = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong puts = new AtomicLong();

    CountingStore(KeyValueStore store, boolean owned, Duration latency) {
        super(store);
        this.owned = owned;
        this.later = latency.isZero()
                ? Runnable::run
                : CompletableFuture.delayedExecutor(latency.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Transactions sent so far. */
    long txns() {
        return txns.get();
    }

    /** Nested transactions in them. */
    long steps() {
        return steps.get();
    }

    /** Those of them that put something. */
    long puts() {
        return puts.get();
    }

    private static boolean puts(Txn txn) {
        return txn.success().stream()
                .anyMatch(op -> op instanceof Op.Put || (op instanceof Op.Nested nested && puts(nested.txn())));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        if (puts(txn)) {
            puts.incrementAndGet();
        }
        txns.incrementAndGet();
        steps.addAndGet(
                txn.success().stream().filter(Op.Nested.class::isInstance).count());
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(arrived -> super.txn(txn));
    }

    @Override
    public void close() {
        if (owned) {
            super.close();
        }
    }
}
