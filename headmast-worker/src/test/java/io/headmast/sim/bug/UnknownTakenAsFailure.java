// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.concurrent.CompletableFuture;

/** A leader takes an unknown outcome for a failure, and plans on at once. */
final class UnknownTakenAsFailure implements PlantedBug {
    @Override
    public String name() {
        return "unknown outcome taken as failure";
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
            return Transactions.isSteps(txn) ? answer.exceptionallyCompose(Changed::failed) : answer;
        }

        private static CompletableFuture<TxnResult> failed(Throwable failure) {
            return CompletableFuture.failedFuture(
                    failure instanceof HeadmastException.Indeterminate
                            ? new HeadmastException.Unavailable("taken as failed")
                            : failure);
        }
    }
}
