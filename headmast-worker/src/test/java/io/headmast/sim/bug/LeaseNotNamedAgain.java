// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An assignment is rewritten without naming the lease it is on. */
final class LeaseNotNamedAgain implements PlantedBug {
    @Override
    public String name() {
        return "lease-bound key put again without its lease";
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
            return super.txn(Transactions.isSteps(txn) ? Transactions.mapNested(txn, Changed::unbound) : txn);
        }

        private static Txn unbound(Txn step) {
            boolean rewrites = step.success().size() == 1
                    && step.success().get(0) instanceof Op.Put put
                    && Transactions.isAssignment(put.key());
            if (!rewrites) {
                return step;
            }
            Op.Put put = (Op.Put) step.success().get(0);
            return new Txn(step.compares(), List.of(Op.put(put.key(), put.value())), step.failure());
        }
    }
}
