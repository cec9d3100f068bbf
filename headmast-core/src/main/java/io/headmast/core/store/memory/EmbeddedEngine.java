// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The engine with everything that etcd's API asks of it, for those who serve that API. Methods may be called from any
 * thread and return at once; futures complete, and watchers are called, on the loop or on a thread of the journal, once
 * the journal has what they tell of. Failures are those of {@link io.headmast.core.store.KeyValueStore}, besides {@link
 * KeyMissingException} and {@link LeaseExistsException}.
 *
 * <p>Transactions are not checked for what can be told without looking at the store; whoever serves them does that.
 */
public final class EmbeddedEngine implements AutoCloseable {
    private final EngineLoop loop;
    private final MvccEngine engine;

    /** An engine that begins with what the journal remembers, if anything; leases get their full time again. */
    public EmbeddedEngine(EventLoop eventLoop, Journal journal, Optional<Journal.Memory> memory) {
        loop = new EngineLoop(eventLoop, journal::whenSafe, journal, true);
        engine = loop.engine();
        memory.ifPresent(remembered -> loop.post(() -> {
            engine.restore(remembered, loop.now());
            loop.armExpiry();
        }));
    }

    /** The last revision. */
    public CompletableFuture<Long> revision() {
        return loop.call(engine::revision);
    }

    public CompletableFuture<EtcdResult.Transaction> txn(EtcdTxn txn) {
        return loop.call(() -> engine.txn(txn));
    }

    /** A put by itself: etcd looks for its lease before its key. */
    public CompletableFuture<EtcdResult.Transaction> put(EtcdOp.Put put) {
        return loop.call(() -> {
            long lease = put.lease().orElse(0);
            if (lease != 0) {
                engine.requireLease(lease);
            }
            return engine.txn(EtcdTxn.of(put));
        });
    }

    /** The revision at which the store stands then. */
    public CompletableFuture<Long> compact(long revision) {
        return loop.call(() -> {
            engine.compact(revision);
            return engine.revision();
        });
    }

    /** An answer about leases, and the revision at which the store stood. */
    public record AtRevision<T>(long revision, T value) {}

    public CompletableFuture<AtRevision<Lease>> grant(long id, Duration ttl) {
        return loop.call(() -> at(engine.grant(id, ttl, loop.now())));
    }

    /** Empty if there is no such lease. */
    public CompletableFuture<AtRevision<Optional<Duration>>> renew(long id) {
        return loop.callAtOnce(() -> at(
                engine.hasLease(id) ? Optional.of(engine.renew(id, loop.now()).ttl()) : Optional.empty()));
    }

    /** Empty if there is no such lease. */
    public CompletableFuture<AtRevision<Optional<LeaseView>>> lease(long id) {
        return loop.call(() -> at(engine.hasLease(id) ? Optional.of(engine.lease(id, loop.now())) : Optional.empty()));
    }

    /** The leases, the one that lapses first before the others. */
    public CompletableFuture<AtRevision<List<Long>>> leases() {
        return loop.call(() -> at(engine.leaseIds()));
    }

    /** Fails with {@link io.headmast.core.store.LeaseNotFoundException} if there is no such lease. */
    public CompletableFuture<Long> revoke(long id) {
        return loop.call(() -> {
            engine.requireLease(id);
            engine.revoke(id);
            return engine.revision();
        });
    }

    private <T> AtRevision<T> at(T value) {
        return new AtRevision<>(engine.revision(), value);
    }

    /** Opens a watch; {@code opened} is told the store's revision before the watcher is told anything. */
    public Watching watch(EtcdWatch request, EtcdWatcher watcher, Opened opened) {
        var watching = new Watching();
        loop.post(() -> {
            if (!loop.isClosed() && !watching.closed) {
                loop.expire();
                long revision = engine.revision();
                loop.whenSafe(() -> opened.at(revision));
                watching.open = engine.watch(request, watcher);
            }
        });
        return watching;
    }

    /** Told when a watch was opened. */
    @FunctionalInterface
    public interface Opened {
        void at(long revision);
    }

    /** A watch under way; any thread may call. */
    public final class Watching implements AutoCloseable {
        // Owned by the loop.
        private WatchHub.@Nullable Open open;
        private boolean closed;

        /** Asks for {@link EtcdWatcher#onProgress}. */
        public void confirm() {
            loop.post(() -> {
                if (open != null) {
                    open.confirm();
                }
            });
        }

        /** Ends it; a call of the watcher that is under way may still finish. */
        @Override
        public void close() {
            loop.post(() -> {
                closed = true;
                if (open != null) {
                    open.close();
                }
            });
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
