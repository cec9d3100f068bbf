// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The port's transactions as the engine wants them, and their results back. */
final class PortTxns {
    private PortTxns() {}

    static EtcdTxn toEtcd(Txn txn) {
        return new EtcdTxn(
                txn.compares().stream().map(PortTxns::toEtcd).toList(), ops(txn.success()), ops(txn.failure()));
    }

    static TxnResult result(EtcdResult.Transaction result) {
        return result(result.succeeded(), result.revision(), result.results());
    }

    /** A nested transaction's revision is the outer one's. */
    private static TxnResult result(boolean succeeded, long revision, List<EtcdResult> results) {
        List<OpResult> port = new ArrayList<>(results.size());
        for (EtcdResult result : results) {
            if (result instanceof EtcdResult.Written) {
                port.add(new OpResult.Written());
            } else if (result instanceof EtcdResult.Deleted deleted) {
                port.add(new OpResult.Deleted(deleted.before().size()));
            } else if (result instanceof EtcdResult.Got got) {
                port.add(new OpResult.Got(got.items()));
            } else if (result instanceof EtcdResult.Branched inner) {
                port.add(new OpResult.NestedDone(result(inner.succeeded(), revision, inner.results())));
            }
        }
        return new TxnResult(succeeded, revision, port);
    }

    private static EtcdCompare toEtcd(Compare compare) {
        return new EtcdCompare(KeyRange.key(compare.key()), EtcdCompare.Relation.EQUAL, target(compare));
    }

    private static EtcdCompare.Target target(Compare compare) {
        if (compare instanceof Compare.CreateRevision expected) {
            return new EtcdCompare.Target.CreateRevision(expected.revision());
        }
        if (compare instanceof Compare.ModRevision expected) {
            return new EtcdCompare.Target.ModRevision(expected.revision());
        }
        if (compare instanceof Compare.Value expected) {
            return new EtcdCompare.Target.Value(expected.value());
        }
        throw new IllegalStateException("unknown compare " + compare);
    }

    private static List<EtcdOp> ops(List<Op> ops) {
        return ops.stream().map(PortTxns::toEtcd).toList();
    }

    private static EtcdOp toEtcd(Op op) {
        if (op instanceof Op.Put put) {
            return new EtcdOp.Put(put.key(), Optional.of(put.value()), OptionalLong.of(put.lease()));
        }
        if (op instanceof Op.Delete delete) {
            return new EtcdOp.Delete(delete.range());
        }
        if (op instanceof Op.Get get) {
            return new EtcdOp.Get(get.range(), get.revision(), 0);
        }
        if (op instanceof Op.Nested nested) {
            return new EtcdOp.Nested(toEtcd(nested.txn()));
        }
        throw new IllegalStateException("unknown operation " + op);
    }
}
