// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.TargetState;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.ChangedStore;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.WorkerProcess;
import java.util.concurrent.CompletableFuture;

/** A worker starts what it was assigned whatever the record says by then. */
final class KillNotReread implements PlantedBug {
    @Override
    public String name() {
        return "kill not re-read";
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
            return super.txn(txn)
                    .thenApply(result -> new TxnResult(
                            result.succeeded(),
                            result.revision(),
                            result.results().stream().map(Changed::wanted).toList()));
        }

        private static OpResult wanted(OpResult result) {
            return result instanceof OpResult.Got got
                    ? new OpResult.Got(got.items().stream().map(Changed::wanted).toList())
                    : result;
        }

        private static KeyValue wanted(KeyValue item) {
            if (Transactions.name(item.key())
                    .filter(Keys.Name.OfJob.class::isInstance)
                    .isEmpty()) {
                return item;
            }
            Job job = Job.unmarshalBinary(item.value().toByteArray()).toBuilder()
                    .status(JobStatus.CREATED)
                    .targetState(TargetState.LAUNCHED)
                    .build();
            return new KeyValue(
                    item.key(),
                    Payload.wrap(job.marshalBinary()),
                    item.createRevision(),
                    item.modRevision(),
                    item.version(),
                    item.lease());
        }
    }
}
