// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import io.headmast.api.ChangeReason;
import io.headmast.api.JobView;
import io.headmast.core.manager.JobManager;
import io.headmast.core.manager.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Deletions whose client would like to wait until the job is gone. Waiting is a courtesy: when many wait already, the
 * answer comes at once and says that the job is on its way out. Thread-safe.
 */
final class DeletionWaits {
    static final Duration MAX_WAIT = Duration.ofSeconds(30);

    /** How many may wait at once, so that they don't take the places of other requests. */
    private static final int MAX_WAITING = 16;

    private final JobManager jobs;
    private final Semaphore places = new Semaphore(MAX_WAITING);

    DeletionWaits(JobManager jobs) {
        this.jobs = jobs;
    }

    /** What became of an order to remove a job: {@code gone}, or shown as it was after the order. */
    record Removal(JobView view, boolean gone) {}

    /** Orders the removal, and completes when the job is gone or {@code wait} has passed since the order. */
    CompletableFuture<Removal> remove(String id, Duration wait) {
        if (wait.isZero() || !places.tryAcquire()) {
            return jobs.removeJob(id).thenApply(view -> new Removal(view, false));
        }
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        // Before the order is given: the job may be gone before its answer is here.
        Subscription subscription = jobs.registerObserver((job, reason) -> {
            if (reason == ChangeReason.DELETED && job.job().id().equals(id)) {
                gone.complete(true);
            }
        });
        return jobs.removeJob(id)
                .thenCompose(view -> gone.completeOnTimeout(false, wait.toMillis(), TimeUnit.MILLISECONDS)
                        .thenApply(isGone -> new Removal(view, isGone)))
                .whenComplete((removal, failure) -> {
                    subscription.close();
                    places.release();
                });
    }
}
