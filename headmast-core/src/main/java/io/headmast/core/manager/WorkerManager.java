// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Cordon;
import io.headmast.api.WorkerView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Commands and reads about workers, for any server. The seed's {@code WorkerManager}; its rules for threads and
 * failures are those of {@link JobManager}.
 */
public interface WorkerManager {
    /** {@code NotFound} if it is neither live nor cordoned. */
    CompletableFuture<WorkerView> getWorker(String workerId);

    /** By ascending id. */
    CompletableFuture<List<WorkerView>> getWorkers();

    /**
     * Sets or, with nothing, lifts a worker's cordon.
     *
     * @return {@code NotFound} when a cordon is set for a worker that is unknown
     */
    CompletableFuture<WorkerView> cordonWorker(String workerId, Optional<Cordon> cordon);

    /**
     * Forgets what is left of a worker that is gone (its cordon).
     *
     * @return {@code Conflict} if it is live: drain it instead; {@code NotFound} if nothing is left of it
     */
    CompletableFuture<Void> removeWorker(String workerId);

    /** Tells {@code observer} of every change from now on, until the returned handle is closed. */
    Subscription registerObserver(WorkersObserver observer);
}
