// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.WorkerProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reports and releases compare nothing: a former owner's late one counts. */
final class ReportWithoutEpochCheck implements PlantedBug {
    @Override
    public String name() {
        return "report without epoch check";
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
            return super.txn(
                    Transactions.mapNested(txn, report -> new Txn(List.of(), report.success(), report.failure())));
        }
    }
}
