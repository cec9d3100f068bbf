// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.WorkerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A worker takes an unknown outcome of a report or release for a success. */
final class UnknownTakenAsSuccess implements PlantedBug {
    @Override
    public String name() {
        return "unknown outcome taken as success";
    }

    @Override
    public KeyValueStore store(ClusterProcess process, KeyValueStore store) {
        return process instanceof WorkerProcess ? new Changed(store) : store;
    }

    private static final class Changed extends ChangedStore {
        Changed(KeyValueStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<TxnResult> txn(Txn txn) {
            CompletableFuture<TxnResult> answer = super.txn(txn);
            boolean reports = !txn.success().isEmpty() && txn.success().stream().allMatch(Op.Nested.class::isInstance);
            return reports ? answer.exceptionallyCompose(failure -> done(txn, failure)) : answer;
        }

        private static CompletableFuture<TxnResult> done(Txn txn, Throwable failure) {
            if (!(failure instanceof HeadmastException.Indeterminate)) {
                return CompletableFuture.failedFuture(failure);
            }
            TxnResult one = new TxnResult(true, 1, List.of());
            return CompletableFuture.completedFuture(new TxnResult(
                    true,
                    1,
                    txn.success().stream()
                            .<OpResult>map(op -> new OpResult.NestedDone(one))
                            .toList()));
        }
    }
}
