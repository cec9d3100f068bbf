// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.options.CompactOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.TxnOption;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * An etcd cluster as the store. Of several endpoints it uses one; when that lets it down, calls that follow go to the
 * next, and so do new watches. Watches that are open stay where they are until they break.
 */
public final class JetcdStore implements KeyValueStore {
    private static final ByteSequence PING_KEY = Bytes.of("headmast");

    private final Endpoints endpoints;
    private final JetcdCalls calls;
    private final Set<JetcdWatch> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Connects when it is first used. */
    public JetcdStore(JetcdOptions options) {
        endpoints = new Endpoints(options);
        calls = new JetcdCalls(endpoints, options.callTimeout());
    }

    /** Finds out whether etcd answers; fails with a message that names the endpoints. */
    public CompletableFuture<Void> ping() {
        return calls.read(client -> client.getKVClient().get(PING_KEY), response -> null);
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        var option = GetOption.builder().withLimit(request.limit()).withRevision(request.revision());
        Bytes.to(request.range()).ifPresent(option::withRange);
        return calls.read(
                client -> client.getKVClient().get(Bytes.from(request.range()), option.build()),
                response -> new RangeResult(
                        response.getHeader().getRevision(),
                        response.getKvs().stream().map(Bytes::item).toList(),
                        response.isMore()));
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        return calls.write(
                client -> JetcdTxns.fill(client.getKVClient().txn(TxnOption.DEFAULT), txn)
                        .commit(),
                response -> JetcdTxns.result(txn, response));
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        var watch = new JetcdWatch(request, listener, endpoints, watches::remove);
        watches.add(watch);
        if (closed) {
            watch.refuse();
        } else {
            watch.open();
        }
        return watch;
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        long seconds = ttl.getSeconds() + (ttl.getNano() == 0 ? 0 : 1);
        return calls.write(
                client -> client.getLeaseClient().grant(seconds),
                response -> new Lease(response.getID(), Duration.ofSeconds(response.getTTL())));
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        return calls.read(client -> client.getLeaseClient().keepAliveOnce(leaseId), JetcdStore::renewed);
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return calls.read(
                client -> client.getLeaseClient().timeToLive(leaseId, LeaseOption.DEFAULT), JetcdStore::remaining);
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        var done = new CompletableFuture<Void>();
        var unused = calls.write(client -> client.getLeaseClient().revoke(leaseId), Function.identity())
                .whenComplete((response, failure) -> {
                    if (failure == null || failure instanceof LeaseNotFoundException) {
                        done.complete(null);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
        return done;
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return calls.write(client -> client.getKVClient().compact(revision, CompactOption.DEFAULT), response -> null);
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(watches).forEach(JetcdWatch::close);
        calls.close();
        endpoints.close();
    }

    private static Lease renewed(LeaseKeepAliveResponse response) {
        if (response.getTTL() <= 0) {
            throw unknownLease(response.getID());
        }
        return new Lease(response.getID(), Duration.ofSeconds(response.getTTL()));
    }

    /** etcd answers for a lease that it does not know with a TTL of -1. */
    private static Duration remaining(LeaseTimeToLiveResponse response) {
        if (response.getTTL() < 0) {
            throw unknownLease(response.getID());
        }
        return Duration.ofSeconds(response.getTTL());
    }

    private static LeaseNotFoundException unknownLease(long id) {
        return new LeaseNotFoundException("etcd knows no lease " + Long.toHexString(id) + " (any more)");
    }
}
