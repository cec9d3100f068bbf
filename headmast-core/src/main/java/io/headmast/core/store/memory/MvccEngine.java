// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Lease;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executor;

/**
 * The engine itself: synchronous, owned by one thread, with time passed in as nanoseconds that never run backwards. Its
 * methods fail as {@link io.headmast.core.store.KeyValueStore} says that the futures do.
 */
final class MvccEngine {
    private final Revisions revisions = new Revisions();
    private final LeaseTable leases = new LeaseTable();
    private final TxnEvaluator evaluator = new TxnEvaluator(revisions, leases);
    private final WatchHub watches;

    /**
     * An empty engine.
     *
     * @param listeners runs the calls of watch listeners, in order and on the engine's thread
     */
    MvccEngine(Executor listeners) {
        watches = new WatchHub(listeners);
    }

    RangeResult range(RangeRequest request) {
        long revision = request.revision() == 0 ? revisions.current() : request.revision();
        long limit = request.limit();
        List<KeyValue> found = revisions.at(request.range(), revision, limit == 0 ? 0 : limit + 1);
        boolean more = limit != 0 && found.size() > limit;
        return new RangeResult(revisions.current(), more ? found.subList(0, (int) limit) : found, more);
    }

    TxnResult txn(Txn txn) {
        TxnEvaluator.Applied applied = evaluator.apply(txn);
        watches.publish(applied.events());
        return applied.result();
    }

    void compact(long revision) {
        revisions.compact(revision);
    }

    Lease grant(Duration ttl, long now) {
        long id = leases.grant(ttl, now);
        return new Lease(id, leases.ttl(id));
    }

    Lease renew(long id, long now) {
        leases.renew(id, now);
        return new Lease(id, leases.ttl(id));
    }

    Duration remaining(long id, long now) {
        return leases.remaining(id, now);
    }

    /** Ends a lease, if there is such a lease; its keys go at one revision, in ascending order. */
    void revoke(long id) {
        List<String> keys = leases.remove(id);
        Revisions.Change change = revisions.begin();
        keys.forEach(key -> change.delete(KeyRange.key(key)));
        watches.publish(change.commit());
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

    WatchHub.Open watch(WatchRequest request, WatchListener listener) {
        return watches.open(request, listener, revisions);
    }

    void confirm(WatchHub.Open watch) {
        watch.confirm(revisions.current());
    }

    void closeWatches() {
        watches.closeAll();
    }
}
