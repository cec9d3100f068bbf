// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.concurrent.CompletableFuture;

/** A placement doesn't compare that the job's former assignment is absent. */
final class FormerAssignmentNotCompared implements PlantedBug {
    @Override
    public String name() {
        return "placement without the old assignment's absence";
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
            return super.txn(Transactions.isSteps(txn) ? Transactions.mapNested(txn, Changed::unchecked) : txn);
        }

        private static Txn unchecked(Txn step) {
            return Transactions.without(
                    step,
                    compare -> compare instanceof Compare.CreateRevision absent
                            && absent.revision() == 0
                            && Transactions.isAssignment(absent.key())
                            && !Transactions.puts(step, absent.key()));
        }
    }
}
