// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Evaluates transactions as etcd does, in three passes: every compare, of nested transactions too, is judged before
 * anything is written; then the leases and revisions that the taken branches name are checked; only then are they applied,
 * which can fail no more.
 */
final class TxnEvaluator {
    /** The branch that is taken, and in order of their operations those that its nested transactions take. */
    private record Taken(boolean succeeded, List<Op> ops, List<Taken> nested) {}

    /** A transaction's result and the events it made, none if it wrote nothing. */
    record Applied(TxnResult result, List<WatchEvent> events) {}

    private final Revisions revisions;
    private final LeaseTable leases;

    TxnEvaluator(Revisions revisions, LeaseTable leases) {
        this.revisions = revisions;
        this.leases = leases;
    }

    Applied apply(Txn txn) {
        TxnLimits.check(txn);
        Taken taken = judge(txn);
        checkLeases(taken);
        checkRevisions(taken);
        Revisions.Change change = revisions.begin();
        List<OpResult> results = apply(taken, change);
        List<WatchEvent> events = change.commit();
        return new Applied(stamp(taken.succeeded(), results), events);
    }

    private Taken judge(Txn txn) {
        boolean holds = txn.compares().stream().allMatch(this::holds);
        List<Op> ops = holds ? txn.success() : txn.failure();
        List<Taken> nested = new ArrayList<>();
        for (Op op : ops) {
            if (op instanceof Op.Nested inner) {
                nested.add(judge(inner.txn()));
            }
        }
        return new Taken(holds, ops, nested);
    }

    private boolean holds(Compare compare) {
        KeyValue item = revisions.latest(compare.key());
        if (compare instanceof Compare.CreateRevision expected) {
            return (item == null ? 0 : item.createRevision()) == expected.revision();
        }
        if (compare instanceof Compare.ModRevision expected) {
            return (item == null ? 0 : item.modRevision()) == expected.revision();
        }
        if (compare instanceof Compare.Value expected) {
            return item != null && item.value().equals(expected.value());
        }
        throw new IllegalStateException("unknown compare " + compare);
    }

    private void checkLeases(Taken taken) {
        for (Op op : taken.ops()) {
            if (op instanceof Op.Put put && put.lease() != 0) {
                leases.requireAlive(put.lease());
            }
        }
        taken.nested().forEach(this::checkLeases);
    }

    private void checkRevisions(Taken taken) {
        for (Op op : taken.ops()) {
            if (op instanceof Op.Get get && get.revision() != 0) {
                revisions.requireReadable(get.revision());
            }
        }
        taken.nested().forEach(this::checkRevisions);
    }

    private List<OpResult> apply(Taken taken, Revisions.Change change) {
        Queue<Taken> nested = new ArrayDeque<>(taken.nested());
        List<OpResult> results = new ArrayList<>(taken.ops().size());
        for (Op op : taken.ops()) {
            if (op instanceof Op.Nested) {
                Taken inner = nested.remove();
                // The revision is known only at the end: stamp() sets it.
                results.add(new OpResult.NestedDone(new TxnResult(inner.succeeded(), 0, apply(inner, change))));
            } else {
                results.add(apply(op, change));
            }
        }
        return results;
    }

    private OpResult apply(Op op, Revisions.Change change) {
        if (op instanceof Op.Put put) {
            KeyValue before = change.put(put.key(), put.value(), put.lease());
            leases.moved(put.key(), before, put.lease());
            return new OpResult.Written();
        }
        if (op instanceof Op.Delete delete) {
            List<KeyValue> deleted = change.delete(delete.range());
            deleted.forEach(leases::detached);
            return new OpResult.Deleted(deleted.size());
        }
        if (op instanceof Op.Get get) {
            return new OpResult.Got(
                    get.revision() == 0 ? revisions.latest(get.range()) : revisions.at(get.range(), get.revision(), 0));
        }
        throw new IllegalStateException("unknown operation " + op);
    }

    private TxnResult stamp(boolean succeeded, List<OpResult> results) {
        List<OpResult> stamped = new ArrayList<>(results.size());
        for (OpResult result : results) {
            stamped.add(
                    result instanceof OpResult.NestedDone done
                            ? new OpResult.NestedDone(stamp(
                                    done.result().succeeded(), done.result().results()))
                            : result);
        }
        return new TxnResult(succeeded, revisions.current(), stamped);
    }
}
