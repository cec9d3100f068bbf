// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import java.util.concurrent.CompletableFuture;

/** After an unknown outcome the leader reads and plans anew, but rewrites no fence: what it sent can still be applied. */
final class FenceNotRenewed implements PlantedBug {
    @Override
    public String name() {
        return "fence not renewed after an unknown outcome";
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
            return Transactions.isSteps(txn) ? answer.exceptionallyCompose(this::afterReading) : answer;
        }

        private CompletableFuture<TxnResult> afterReading(Throwable failure) {
            return failure instanceof HeadmastException.Indeterminate
                    ? range(RangeRequest.key("?"))
                            .thenCompose(found ->
                                    CompletableFuture.failedFuture(new HeadmastException.Unavailable("read instead")))
                    : CompletableFuture.failedFuture(failure);
        }
    }
}
