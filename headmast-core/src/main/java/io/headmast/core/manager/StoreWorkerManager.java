// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Cordon;
import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.WorkerView;
import io.headmast.api.json.Json;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** The worker manager over the store: reads come from the server's mirror, cordons go to the store. */
public final class StoreWorkerManager implements WorkerManager {
    private final KeyValueStore store;
    private final ClusterMirror mirror;
    private final Keys keys;
    private final Observers<WorkerView> observers = new Observers<>("worker-observers");
    private final AtomicLong lastWritten = new AtomicLong();

    /** Must be created before the mirror is started, which its observers follow. */
    public StoreWorkerManager(KeyValueStore store, ClusterMirror mirror) {
        this.store = store;
        this.mirror = mirror;
        this.keys = mirror.keys();
        mirror.addListener(new WorkerChanges(mirror.observer(), observers));
    }

    @Override
    public CompletableFuture<WorkerView> getWorker(String workerId) {
        return find(workerId)
                .thenApply(found ->
                        found.orElseThrow(() -> new HeadmastException.NotFound("there is no worker " + workerId)));
    }

    @Override
    public CompletableFuture<List<WorkerView>> getWorkers() {
        return mirror.read(lastWritten.get(), () -> mirror.observer().workers());
    }

    @Override
    public CompletableFuture<WorkerView> cordonWorker(String workerId, Optional<Cordon> cordon) {
        return getWorker(workerId)
                .thenCompose(known -> write(workerId, cordon).thenCompose(result -> {
                    lastWritten.accumulateAndGet(result.revision(), Math::max);
                    return find(workerId)
                            .thenApply(found -> found.orElse(
                                    new WorkerView(known.worker(), known.live(), known.used(), Optional.empty())));
                }));
    }

    @Override
    public CompletableFuture<Void> removeWorker(String workerId) {
        return getWorker(workerId).thenCompose(known -> {
            Txn txn =
                    new Txn(List.of(Compare.absent(keys.worker(workerId))), List.of(Op.delete(keys.cordon(workerId))));
            return store.txn(txn).thenAccept(result -> {
                if (!result.succeeded()) {
                    throw new HeadmastException.Conflict(
                            "worker " + workerId + " is live; drain it, stop it, and delete it then");
                }
                lastWritten.accumulateAndGet(result.revision(), Math::max);
            });
        });
    }

    @Override
    public Subscription registerObserver(WorkersObserver observer) {
        return observers.add(observer::changed);
    }

    /** Ends the threads of the observers. */
    public void close() {
        observers.close();
    }

    private CompletableFuture<Optional<WorkerView>> find(String workerId) {
        return mirror.read(lastWritten.get(), () -> mirror.observer().worker(workerId));
    }

    private CompletableFuture<TxnResult> write(String workerId, Optional<Cordon> cordon) {
        Op op = cordon.map(mark -> Op.put(keys.cordon(workerId), Json.toPayload(mark.toJson())))
                .orElseGet(() -> Op.delete(keys.cordon(workerId)));
        return store.txn(Txn.of(List.of(op)));
    }
}
