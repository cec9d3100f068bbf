// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A step that was overtaken is sent again with whatever record and state there are now. */
final class StalePlanRetried implements PlantedBug {
    @Override
    public String name() {
        return "stale plan retried";
    }

    @Override
    public KeyValueStore store(ClusterProcess process, KeyValueStore store) {
        return process instanceof ServerProcess ? new Changed(store) : store;
    }

    private static final class Changed extends ChangedStore {
        Changed(KeyValueStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<TxnResult> txn(Txn txn) {
            CompletableFuture<TxnResult> answer = super.txn(txn);
            return Transactions.isSteps(txn) ? answer.thenApply(result -> again(txn, result)) : answer;
        }

        private TxnResult again(Txn txn, TxnResult result) {
            for (int i = 0; result.succeeded() && i < txn.success().size(); i++) {
                if (!result.nested(i).succeeded()) {
                    Txn step = Transactions.without(
                            ((Op.Nested) txn.success().get(i)).txn(),
                            compare ->
                                    compare instanceof Compare.ModRevision && Transactions.isJobOrState(compare.key()));
                    var unused = super.txn(new Txn(txn.compares(), List.of(new Op.Nested(step))));
                }
            }
            return result;
        }
    }
}
