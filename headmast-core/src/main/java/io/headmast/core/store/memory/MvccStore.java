// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.CompactedException;
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
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process with etcd's semantics. All of it happens on the given loop: operations are tasks there, futures
 * complete and listeners are called there, leases lapse by its clock. So on a loop in virtual time every run is the same.
 *
 * <p>Nothing is kept across a restart, and history grows until {@link #compact}. Where versions of etcd differ it does
 * what is harder for its users: a deletion at the compaction revision can't be watched any more.
 */
public final class MvccStore implements KeyValueStore {
    private final EngineLoop loop;
    private final MvccEngine engine;

    public MvccStore(EventLoop loop) {
        this.loop = new EngineLoop(loop, loop, Journal.NONE, false);
        this.engine = this.loop.engine();
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        return loop.call(() -> engine.range(request));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        return loop.call(() -> {
            EtcdTxn full = PortTxns.toEtcd(txn);
            TxnLimits.check(full);
            return PortTxns.result(engine.txn(full));
        });
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        var watch = new LoopWatch(request, listener);
        loop.post(watch::open);
        return watch;
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        return loop.call(() -> engine.grant(ttl, loop.now()));
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        return loop.call(() -> engine.renew(leaseId, loop.now()));
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return loop.call(() -> engine.remaining(leaseId, loop.now()));
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return loop.run(() -> engine.revoke(leaseId));
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return loop.run(() -> engine.compact(revision));
    }

    @Override
    public void close() {
        loop.close();
    }

    /** The handle of a watch, which exists before the loop gets to open it, and the gate that its closing shuts. */
    private final class LoopWatch implements Watch, EtcdWatcher {
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
            if (loop.isClosed()) {
                listener.onBroken(EngineLoop.closedFailure());
                return;
            }
            loop.expire();
            open = engine.watch(new EtcdWatch(request.range(), request.fromRevision(), false), this);
        }

        @Override
        public void requestProgress() {
            loop.post(() -> {
                if (open != null) {
                    open.confirm();
                }
            });
        }

        @Override
        public void close() {
            ended = true;
            loop.post(() -> {
                if (open != null) {
                    open.close();
                }
            });
        }

        @Override
        public void onChanges(long storeRevision, List<EtcdChange> changes) {
            if (live()) {
                List<WatchEvent> events =
                        changes.stream().map(EtcdChange::event).toList();
                listener.onEvents(events.get(events.size() - 1).revision(), events);
            }
        }

        @Override
        public void onProgress(long revision) {
            if (live()) {
                listener.onProgress(revision);
            }
        }

        @Override
        public void onCompacted(long compactRevision) {
            if (live()) {
                listener.onBroken(new CompactedException(compactRevision));
            }
        }

        private boolean live() {
            return !ended && !loop.isClosed();
        }
    }
}
