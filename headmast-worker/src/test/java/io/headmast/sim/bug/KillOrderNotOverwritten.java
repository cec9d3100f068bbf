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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A kill order is put only where none is. */
final class KillOrderNotOverwritten implements PlantedBug {
    @Override
    public String name() {
        return "older kill order not overwritten";
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
            return super.txn(Transactions.isSteps(txn) ? Transactions.mapNested(txn, Changed::onlyNew) : txn);
        }

        private static Txn onlyNew(Txn step) {
            List<Compare> compares = new ArrayList<>(step.compares());
            for (Op op : step.success()) {
                if (op instanceof Op.Put put && Transactions.isKiller(put.key())) {
                    compares.add(Compare.absent(put.key()));
                }
            }
            return new Txn(compares, step.success(), step.failure());
        }
    }
}
