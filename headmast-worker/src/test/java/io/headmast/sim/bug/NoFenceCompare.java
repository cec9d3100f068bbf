// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A leader's transactions don't compare the leader key. */
final class NoFenceCompare implements PlantedBug {
    @Override
    public String name() {
        return "no fence compare";
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
            return super.txn(Transactions.isSteps(txn) ? new Txn(List.of(), txn.success(), txn.failure()) : txn);
        }
    }
}
