// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

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
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process with etcd's semantics. All of it happens on the given loop: operations are tasks there, futures
 * complete and listeners are called there, leases lapse by its clock. So on a loop in virtual time every run is the same.
 *
 * <p>Nothing is kept across a restart, and history grows until {@link #compact}.
 */
public final class MvccStore implements KeyValueStore {
    private final EventLoop loop;
    private final long origin;
    private final MvccEngine engine;

    // Owned by the loop.
    private EventLoop.@Nullable Timer expiry;
    private long expiryAt;

    private volatile boolean closed;

    public MvccStore(EventLoop loop) {
        this.loop = loop;
        this.origin = loop.nanoTime();
        this.engine = new MvccEngine(loop);
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        return call(() -> engine.range(request));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        return call(() -> engine.txn(txn));
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        var watch = new LoopWatch(request, listener);
        loop.execute(watch::open);
        return watch;
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        return call(() -> engine.grant(ttl, now()));
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        return call(() -> engine.renew(leaseId, now()));
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return call(() -> engine.remaining(leaseId, now()));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return run(() -> engine.revoke(leaseId));
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return run(() -> engine.compact(revision));
    }

    @Override
    public void close() {
        closed = true;
        post(this::release);
    }

    private void release() {
        engine.closeWatches();
        if (expiry != null) {
            expiry.cancel();
            expiry = null;
        }
    }

    private CompletableFuture<Void> run(Runnable operation) {
        var future = new CompletableFuture<Void>();
        submit(future, () -> {
            operation.run();
            future.complete(null);
        });
        return future;
    }

    private <T> CompletableFuture<T> call(Supplier<T> operation) {
        var future = new CompletableFuture<T>();
        submit(future, () -> future.complete(operation.get()));
        return future;
    }

    private void submit(CompletableFuture<?> future, Runnable operation) {
        try {
            loop.execute(() -> perform(future, operation));
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(
                    new HeadmastException.Unavailable("the store's event loop takes no more work"));
        }
    }

    private void perform(CompletableFuture<?> future, Runnable operation) {
        if (closed) {
            future.completeExceptionally(closedFailure());
            return;
        }
        // Whoever comes first at or after a deadline, its timer or an operation, finds the lease lapsed.
        engine.expire(now());
        try {
            operation.run();
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
        armExpiry();
    }

    /** Keeps one timer, at or before the next deadline; renewals make it early and it is set again then. */
    private void armExpiry() {
        OptionalLong next = engine.nextExpiry();
        if (next.isEmpty() || (expiry != null && expiryAt <= next.getAsLong())) {
            return;
        }
        if (expiry != null) {
            expiry.cancel();
        }
        expiryAt = next.getAsLong();
        expiry = loop.schedule(Duration.ofNanos(Math.max(0, expiryAt - now())), this::onExpiry);
    }

    private void onExpiry() {
        expiry = null;
        if (!closed) {
            engine.expire(now());
            armExpiry();
        }
    }

    private static HeadmastException closedFailure() {
        return new HeadmastException.Unavailable("the store is closed");
    }

    private long now() {
        return loop.nanoTime() - origin;
    }

    /** Runs a task that nobody waits for; when the loop is closed nothing of this store runs any more. */
    private void post(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            closed = true;
        }
    }

    /** The handle of a watch, which exists before the loop gets to open it, and the gate that its closing shuts. */
    private final class LoopWatch implements Watch, WatchListener {
        private final WatchRequest request;
        private final WatchListener listener;
        private volatile boolean ended;
        private WatchHub.@Nullable Open open; // owned by the loop

        LoopWatch(WatchRequest request, WatchListener listener) {
            this.request = request;
            this.listener = listener;
        }

        void open() {
            if (ended) {
                return;
            }
            if (closed) {
                listener.onBroken(closedFailure());
                return;
            }
            engine.expire(now());
            open = engine.watch(request, this);
        }

        @Override
        public void requestProgress() {
            post(() -> {
                if (open != null) {
                    engine.confirm(open);
                }
            });
        }

        @Override
        public void close() {
            ended = true;
            post(() -> {
                if (open != null) {
                    open.close();
                }
            });
        }

        @Override
        public void onEvents(long revision, List<WatchEvent> events) {
            if (live()) {
                listener.onEvents(revision, events);
            }
        }

        @Override
        public void onProgress(long revision) {
            if (live()) {
                listener.onProgress(revision);
            }
        }

        @Override
        public void onBroken(Throwable cause) {
            if (live()) {
                listener.onBroken(cause);
            }
        }

        private boolean live() {
            return !ended && !closed;
        }
    }
}
