// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.ChangeReason;
import io.headmast.api.Cordon;
import io.headmast.api.HeadmastException;
import io.headmast.api.Worker;
import io.headmast.api.WorkerView;
import io.headmast.core.manager.Subscription;
import io.headmast.core.manager.WorkerManager;
import io.headmast.core.manager.WorkersObserver;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A worker manager over a map; workers join and die by call. Thread-safe. */
final class InMemoryWorkers implements WorkerManager {
    private final StoreFault fault;
    private final TreeMap<String, WorkerView> workers = new TreeMap<>();
    private final List<WorkersObserver> observers = new CopyOnWriteArrayList<>();

    InMemoryWorkers(StoreFault fault) {
        this.fault = fault;
    }

    @Override
    public CompletableFuture<WorkerView> getWorker(String workerId) {
        return fault.answer(() -> existing(workerId));
    }

    @Override
    public CompletableFuture<List<WorkerView>> getWorkers() {
        return fault.answer(() -> {
            synchronized (this) {
                return List.copyOf(workers.values());
            }
        });
    }

    @Override
    public CompletableFuture<WorkerView> cordonWorker(String workerId, Optional<Cordon> cordon) {
        return fault.answer(() -> {
            WorkerView old = existing(workerId);
            return put(new WorkerView(old.worker(), old.live(), old.used(), cordon), ChangeReason.UPDATED);
        });
    }

    @Override
    public CompletableFuture<Void> removeWorker(String workerId) {
        return fault.answer(() -> {
            WorkerView old = existing(workerId);
            if (old.live()) {
                throw new HeadmastException.Conflict("worker " + workerId + " is live; drain it instead");
            }
            synchronized (this) {
                workers.remove(workerId);
            }
            observers.forEach(observer -> observer.changed(old, ChangeReason.DELETED));
            return null;
        });
    }

    @Override
    public Subscription registerObserver(WorkersObserver observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    void join(String workerId) {
        put(new WorkerView(Worker.absent(workerId), true, 0, Optional.empty()), ChangeReason.ADDED);
    }

    /** Its cordon stays. */
    void die(String workerId) {
        WorkerView old = existing(workerId);
        put(new WorkerView(old.worker(), false, 0, old.cordon()), ChangeReason.UPDATED);
    }

    private WorkerView put(WorkerView view, ChangeReason reason) {
        synchronized (this) {
            workers.put(view.worker().id(), view);
        }
        observers.forEach(observer -> observer.changed(view, reason));
        return view;
    }

    private synchronized WorkerView existing(String workerId) {
        WorkerView view = workers.get(workerId);
        if (view == null) {
            throw new HeadmastException.NotFound("there is no worker " + workerId);
        }
        return view;
    }
}
