// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The only door to etcd: a revisioned key-value store with ranges, transactions, watches and leases, as etcd's v3 API
 * defines them.
 *
 * <p><b>Keys</b> are strings in which each character is one byte (ISO-8859-1), so their order is etcd's byte order and
 * any byte sequence can be named. headmast's own keys are ASCII.
 *
 * <p><b>Threading.</b> Every method may be called from any thread and returns at once. Futures complete, and watch
 * listeners are called, on threads of the store: a callback must only hand over to its owner and never block.
 *
 * <p><b>Outcomes.</b> A future of a write fails with {@link io.headmast.api.HeadmastException.Indeterminate} when the
 * write may or may not have been applied; with every other failure it was not applied, but for one: {@link
 * io.headmast.api.HeadmastException.StorageFull} leaves it as open as {@code Indeterminate} does, because etcd tells of
 * the write that exceeds its space only after applying it. Reads are linearizable unless they name a revision, and fail
 * with {@link io.headmast.api.HeadmastException.Unavailable} when no answer came in time. Every call has a time limit of
 * its own; none waits for ever. The store retries nothing that could apply twice.
 */
public interface KeyValueStore extends AutoCloseable {
    /** etcd's default limit for the operations of a transaction, on the longest path through its nesting. */
    int MAX_TXN_OPS = 128;

    /** etcd's default limit for the size of a request, in bytes. */
    int MAX_REQUEST_BYTES = 1_572_864;

    /**
     * Reads the keys of a range, ascending.
     *
     * @return fails with {@link CompactedException} if the request names a revision that is compacted, with {@code
     *     Invalid} if it names one in the future
     */
    CompletableFuture<RangeResult> range(RangeRequest request);

    /**
     * Applies a transaction atomically, at one revision.
     *
     * @return fails with {@link LeaseNotFoundException} (nothing applied) if any put of the branch that would be taken
     *     names a lease that does not exist; with {@code StorageFull} when the store is out of space; with
     *     {@code TooLarge} beyond {@link #MAX_TXN_OPS} or {@link #MAX_REQUEST_BYTES}; with {@code Invalid} when a key is
     *     written twice; as {@link #range} does if a {@link Op.Get} names a revision
     */
    CompletableFuture<TxnResult> txn(Txn txn);

    /**
     * Watches a range from a revision on. All events of a revision arrive in one batch, revisions ascend, none is left
     * out: when that can't be kept up, the watch breaks (see {@link WatchListener#onBroken}). So does one on a store that
     * is closed.
     */
    Watch watch(WatchRequest request, WatchListener listener);

    /**
     * Grants a lease; the store may grant a longer TTL than asked for (etcd: whole seconds, at least 2), never a shorter
     * one.
     *
     * @return fails with {@code StorageFull} when the store is out of space: renewals go on then, grants don't
     */
    CompletableFuture<Lease> grantLease(Duration ttl);

    /**
     * Renews a lease once. The new TTL counts from some moment between the call and its answer, so a careful caller
     * counts from the call.
     *
     * @return the lease with its granted TTL; fails with {@link LeaseNotFoundException} when it has lapsed
     */
    CompletableFuture<Lease> keepAlive(long leaseId);

    /** The remaining time of a lease; fails with {@link LeaseNotFoundException} when it has lapsed. */
    CompletableFuture<Duration> timeToLive(long leaseId);

    /** Ends a lease and deletes its keys at one revision; succeeds also when it has lapsed already. */
    CompletableFuture<Void> revokeLease(long leaseId);

    /**
     * Forgets all history before {@code revision}. Reads at that revision stay possible; a watch from it may miss its
     * deletions.
     *
     * @return fails with {@link CompactedException} if that is done already, with {@code Invalid} if the revision is in
     *     the future
     */
    CompletableFuture<Void> compact(long revision);

    /** Ends all watches (without {@code onBroken}) and connections. Calls still under way fail. */
    @Override
    void close();
}
