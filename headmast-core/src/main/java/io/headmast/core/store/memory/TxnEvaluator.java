// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Evaluates transactions as etcd does, in three passes: every compare, of nested transactions too, is judged before
 * anything is written; then the keys, leases and revisions that the taken branches need are checked; only then are they
 * applied, which can fail no more.
 */
final class TxnEvaluator {
    /** The branch that is taken, and in order of their operations those that its nested transactions take. */
    private record Taken(boolean succeeded, List<EtcdOp> ops, List<Taken> nested) {}

    /** One check of an operation, before anything is applied. */
    private interface Check {
        void look(EtcdOp op);
    }

    private final Revisions revisions;
    private final LeaseTable leases;

    TxnEvaluator(Revisions revisions, LeaseTable leases) {
        this.revisions = revisions;
        this.leases = leases;
    }

    /** What a transaction would do, checked and ready to be applied at once. */
    final class Prepared {
        private final Taken taken;

        private Prepared(Taken taken) {
            this.taken = taken;
        }

        /** Applies it in a change that is committed by the caller. */
        List<EtcdResult> applyTo(Revisions.Change change) {
            return apply(taken, change);
        }

        boolean succeeded() {
            return taken.succeeded();
        }
    }

    /** Judges and checks a transaction. */
    Prepared prepare(EtcdTxn txn) {
        Taken taken = judge(txn);
        check(taken, this::checkPut);
        check(taken, this::checkGet);
        return new Prepared(taken);
    }

    private Taken judge(EtcdTxn txn) {
        boolean holds = txn.compares().stream().allMatch(this::holds);
        List<EtcdOp> ops = holds ? txn.success() : txn.failure();
        List<Taken> nested = new ArrayList<>();
        for (EtcdOp op : ops) {
            if (op instanceof EtcdOp.Nested inner) {
                nested.add(judge(inner.txn()));
            }
        }
        return new Taken(holds, ops, nested);
    }

    private boolean holds(EtcdCompare compare) {
        List<KeyValue> items = compare.range().isKey()
                ? Optional.ofNullable(revisions.latest(compare.range().from()))
                        .map(List::of)
                        .orElse(List.of())
                : revisions.latest(compare.range());
        if (items.isEmpty()) {
            return !(compare.target() instanceof EtcdCompare.Target.Value)
                    && holds(compare.relation(), Long.compare(0, number(compare.target(), Optional.empty())));
        }
        return items.stream().allMatch(item -> holds(compare.relation(), difference(compare.target(), item)));
    }

    private static int difference(EtcdCompare.Target target, KeyValue item) {
        return target instanceof EtcdCompare.Target.Value expected
                ? Arrays.compareUnsigned(
                        item.value().toByteArray(), expected.value().toByteArray())
                : Long.compare(number(target, Optional.of(item)), number(target, Optional.empty()));
    }

    /** The number of an item that a target speaks of; without an item, the number that it expects. */
    private static long number(EtcdCompare.Target target, Optional<KeyValue> item) {
        if (target instanceof EtcdCompare.Target.Version expected) {
            return item.map(KeyValue::version).orElse(expected.version());
        }
        if (target instanceof EtcdCompare.Target.CreateRevision expected) {
            return item.map(KeyValue::createRevision).orElse(expected.revision());
        }
        if (target instanceof EtcdCompare.Target.ModRevision expected) {
            return item.map(KeyValue::modRevision).orElse(expected.revision());
        }
        if (target instanceof EtcdCompare.Target.LeaseId expected) {
            return item.map(KeyValue::lease).orElse(expected.lease());
        }
        throw new IllegalStateException("no number in " + target);
    }

    private static boolean holds(EtcdCompare.Relation relation, int difference) {
        return switch (relation) {
            case EQUAL -> difference == 0;
            case NOT_EQUAL -> difference != 0;
            case GREATER -> difference > 0;
            case LESS -> difference < 0;
        };
    }

    private static void check(Taken taken, Check check) {
        Queue<Taken> nested = new ArrayDeque<>(taken.nested());
        for (EtcdOp op : taken.ops()) {
            if (op instanceof EtcdOp.Nested) {
                check(nested.remove(), check);
            } else {
                check.look(op);
            }
        }
    }

    private void checkPut(EtcdOp op) {
        if (op instanceof EtcdOp.Put put) {
            boolean keeps = put.value().isEmpty() || put.lease().isEmpty();
            if (keeps && revisions.latest(put.key()) == null) {
                throw new KeyMissingException(put.key());
            }
            long lease = put.lease().orElse(0);
            if (lease != 0) {
                leases.requireAlive(lease);
            }
        }
    }

    private void checkGet(EtcdOp op) {
        if (op instanceof EtcdOp.Get get && get.revision() != 0) {
            revisions.requireReadable(get.revision());
        }
    }

    private List<EtcdResult> apply(Taken taken, Revisions.Change change) {
        Queue<Taken> nested = new ArrayDeque<>(taken.nested());
        List<EtcdResult> results = new ArrayList<>(taken.ops().size());
        for (EtcdOp op : taken.ops()) {
            if (op instanceof EtcdOp.Nested) {
                Taken inner = nested.remove();
                results.add(new EtcdResult.Branched(inner.succeeded(), apply(inner, change)));
            } else {
                results.add(apply(op, change));
            }
        }
        return results;
    }

    private EtcdResult apply(EtcdOp op, Revisions.Change change) {
        if (op instanceof EtcdOp.Put put) {
            return put(put, change);
        }
        if (op instanceof EtcdOp.Delete delete) {
            List<KeyValue> deleted = change.delete(delete.range());
            deleted.forEach(leases::detached);
            return new EtcdResult.Deleted(change.seen(), deleted);
        }
        if (op instanceof EtcdOp.Get get) {
            Revisions.Found found = revisions.find(get.range(), get.revision(), get.limit());
            return new EtcdResult.Got(change.seen(), found.items(), found.count());
        }
        throw new IllegalStateException("unknown operation " + op);
    }

    private EtcdResult put(EtcdOp.Put put, Revisions.Change change) {
        KeyValue before = revisions.latest(put.key());
        if (before == null && (put.value().isEmpty() || put.lease().isEmpty())) {
            // It was there when that was checked; two operations on one key are refused before they get here.
            throw new HeadmastException.Invalid("", "the transaction writes a key twice");
        }
        long lease = put.lease().isPresent() || before == null ? put.lease().orElse(0) : before.lease();
        var value = put.value().isPresent() || before == null ? put.value().orElseThrow() : before.value();
        change.put(put.key(), value, lease);
        leases.moved(put.key(), before, lease);
        return new EtcdResult.Written(change.revision(), Optional.ofNullable(before));
    }
}
