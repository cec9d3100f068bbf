// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Lease;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The engine itself: synchronous, owned by one thread, with time passed in as nanoseconds that never run backwards. Its
 * methods fail as {@link io.headmast.core.store.KeyValueStore} says that the futures do. What it does it tells the
 * journal, each operation as one entry.
 */
final class MvccEngine {
    private final Revisions revisions;
    private final LeaseTable leases = new LeaseTable();
    private final TxnEvaluator evaluator;
    private final WatchHub watches;
    private final Journal journal;

    /**
     * An empty engine.
     *
     * @param watchers runs the calls of watchers, in order and one at a time
     * @param keepsDeletions see {@link Revisions}
     */
    MvccEngine(Executor watchers, Journal journal, boolean keepsDeletions) {
        this.revisions = new Revisions(keepsDeletions);
        this.evaluator = new TxnEvaluator(revisions, leases);
        this.watches = new WatchHub(watchers, revisions);
        this.journal = journal;
    }

    /** Takes over what a journal remembers, before anything else is done; leases get their full time again. */
    void restore(Journal.Memory memory, long now) {
        revisions.restore(memory);
        leases.restore(memory.leases(), revisions.latest(new KeyRange("", "")), now);
    }

    /** The last revision. */
    long revision() {
        return revisions.current();
    }

    RangeResult range(RangeRequest request) {
        long revision = request.revision() == 0 ? revisions.current() : request.revision();
        long limit = request.limit();
        List<KeyValue> found = revisions.at(request.range(), revision, limit == 0 ? 0 : limit + 1);
        boolean more = limit != 0 && found.size() > limit;
        return new RangeResult(revisions.current(), more ? found.subList(0, (int) limit) : found, more);
    }

    EtcdResult.Transaction txn(EtcdTxn txn) {
        TxnEvaluator.Prepared prepared = evaluator.prepare(txn);
        Revisions.Change change = revisions.begin();
        List<EtcdResult> results = prepared.applyTo(change);
        publish(change.commit(), 0);
        return new EtcdResult.Transaction(revisions.current(), prepared.succeeded(), results);
    }

    void compact(long revision) {
        NavigableMap<Long, Set<String>> forgotten = revisions.compact(revision);
        journal.append(new Journal.Entry.Compacted(revision, forgotten));
    }

    Lease grant(Duration ttl, long now) {
        return granted(leases.grant(ttl, now));
    }

    /** Grants a lease with an id of the caller's choice; fails with {@link LeaseExistsException} if there is one. */
    Lease grant(long id, Duration ttl, long now) {
        leases.grant(id, ttl, now);
        return granted(id);
    }

    private Lease granted(long id) {
        Duration ttl = leases.ttl(id);
        journal.append(new Journal.Entry.Granted(id, ttl));
        return new Lease(id, ttl);
    }

    Lease renew(long id, long now) {
        leases.renew(id, now);
        return new Lease(id, leases.ttl(id));
    }

    Duration remaining(long id, long now) {
        return leases.remaining(id, now);
    }

    /** A lease with what there is to know of it. */
    LeaseView lease(long id, long now) {
        return new LeaseView(id, leases.ttl(id), leases.remaining(id, now), leases.keys(id));
    }

    /** The leases, the one that lapses first before the others. */
    List<Long> leaseIds() {
        return leases.ids();
    }

    boolean hasLease(long id) {
        return leases.isAlive(id);
    }

    /** Fails with {@link io.headmast.core.store.LeaseNotFoundException} if there is no such lease. */
    void requireLease(long id) {
        leases.requireAlive(id);
    }

    /** Ends a lease, if there is such a lease; its keys go at one revision, in ascending order. */
    void revoke(long id) {
        List<String> keys = leases.remove(id);
        Revisions.Change change = revisions.begin();
        keys.forEach(key -> change.delete(KeyRange.key(key)));
        publish(change.commit(), id);
    }

    /** Ends the leases that are due, the longest overdue first, each at a revision of its own. */
    void expire(long now) {
        for (OptionalLong due = leases.due(now); due.isPresent(); due = leases.due(now)) {
            revoke(due.getAsLong());
        }
    }

    /** When {@link #expire} will next have something to do, unless a lease is renewed. */
    OptionalLong nextExpiry() {
        return leases.nextDeadline();
    }

    WatchHub.Open watch(EtcdWatch request, EtcdWatcher watcher) {
        return watches.open(request, watcher);
    }

    void closeWatches() {
        watches.closeAll();
    }

    private void publish(List<WatchEvent> events, long endedLease) {
        if (!events.isEmpty() || endedLease != 0) {
            journal.append(new Journal.Entry.Committed(revisions.current(), events, endedLease));
        }
        watches.publish(events);
    }
}
