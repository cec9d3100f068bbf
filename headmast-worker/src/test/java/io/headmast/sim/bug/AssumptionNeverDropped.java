// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.concurrent.CompletableFuture;

/** What a leader assumed of a transaction that failed stays assumed for ever. */
final class AssumptionNeverDropped implements PlantedBug {
    @Override
    public String name() {
        return "assumption never dropped";
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
            if (!Transactions.isSteps(txn)) {
                return answer;
            }
            CompletableFuture<TxnResult> succeeded = new CompletableFuture<>();
            var unused = answer.thenAccept(succeeded::complete);
            return succeeded;
        }
    }
}
