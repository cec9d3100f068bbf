// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.kv.DeleteResponse;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Transactions as jetcd wants them, and their results back. */
final class JetcdTxns {
    private JetcdTxns() {}

    /** Fills an empty transaction of jetcd. */
    static io.etcd.jetcd.Txn fill(io.etcd.jetcd.Txn empty, Txn txn) {
        return empty.If(compares(txn.compares()))
                .Then(operations(txn.success()))
                .Else(operations(txn.failure()));
    }

    static TxnResult result(Txn txn, TxnResponse response) {
        return result(txn, response, response.getHeader().getRevision());
    }

    /** jetcd gives the results of each kind of operation by themselves: they are dealt out again in order. */
    private static TxnResult result(Txn txn, TxnResponse response, long revision) {
        Iterator<GetResponse> gets = response.getGetResponses().iterator();
        Iterator<DeleteResponse> deletes = response.getDeleteResponses().iterator();
        Iterator<TxnResponse> nested = response.getTxnResponses().iterator();
        List<OpResult> results = new ArrayList<>();
        for (Op op : response.isSucceeded() ? txn.success() : txn.failure()) {
            if (op instanceof Op.Put) {
                results.add(new OpResult.Written());
            } else if (op instanceof Op.Delete) {
                results.add(new OpResult.Deleted(deletes.next().getDeleted()));
            } else if (op instanceof Op.Get) {
                results.add(new OpResult.Got(
                        gets.next().getKvs().stream().map(Bytes::item).toList()));
            } else if (op instanceof Op.Nested inner) {
                // Its own header tells no revision.
                results.add(new OpResult.NestedDone(result(inner.txn(), nested.next(), revision)));
            }
        }
        return new TxnResult(response.isSucceeded(), revision, results);
    }

    private static Cmp[] compares(List<Compare> compares) {
        return compares.stream().map(JetcdTxns::compare).toArray(Cmp[]::new);
    }

    private static Cmp compare(Compare compare) {
        return new Cmp(Bytes.of(compare.key()), Cmp.Op.EQUAL, target(compare));
    }

    private static CmpTarget<?> target(Compare compare) {
        if (compare instanceof Compare.CreateRevision expected) {
            return CmpTarget.createRevision(expected.revision());
        }
        if (compare instanceof Compare.ModRevision expected) {
            return CmpTarget.modRevision(expected.revision());
        }
        if (compare instanceof Compare.Value expected) {
            return CmpTarget.value(Bytes.of(expected.value()));
        }
        throw new IllegalStateException("unknown compare " + compare);
    }

    private static io.etcd.jetcd.op.Op[] operations(List<Op> operations) {
        return operations.stream().map(JetcdTxns::operation).toArray(io.etcd.jetcd.op.Op[]::new);
    }

    private static io.etcd.jetcd.op.Op operation(Op op) {
        if (op instanceof Op.Put put) {
            PutOption option = PutOption.builder().withLeaseId(put.lease()).build();
            return io.etcd.jetcd.op.Op.put(Bytes.of(put.key()), Bytes.of(put.value()), option);
        }
        if (op instanceof Op.Delete delete) {
            return io.etcd.jetcd.op.Op.delete(Bytes.from(delete.range()), deletion(delete.range()));
        }
        if (op instanceof Op.Get get) {
            var option = GetOption.builder().withRevision(get.revision());
            Bytes.to(get.range()).ifPresent(option::withRange);
            return io.etcd.jetcd.op.Op.get(Bytes.from(get.range()), option.build());
        }
        if (op instanceof Op.Nested nested) {
            Txn txn = nested.txn();
            return io.etcd.jetcd.op.Op.txn(
                    compares(txn.compares()), operations(txn.success()), operations(txn.failure()));
        }
        throw new IllegalStateException("unknown operation " + op);
    }

    private static DeleteOption deletion(KeyRange range) {
        var option = DeleteOption.builder();
        Bytes.to(range).ifPresent(option::withRange);
        return option.build();
    }
}
