// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.core.manager.RecordReader.Stored;
import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Adds jobs: a record is put if nothing is known of its id. Those that come together share transactions. Adding is
 * idempotent, so an answer that never came is resolved by adding again. Thread-safe; at most {@value #MAX_TRIES} tries.
 */
final class JobAdder {
    private static final int MAX_TRIES = 3;

    private final Keys keys;
    private final RecordReader records;
    private final SharedTxns writes;

    JobAdder(Keys keys, RecordReader records, SharedTxns writes) {
        this.keys = keys;
        this.records = records;
        this.writes = writes;
    }

    /**
     * What is stored now.
     *
     * @param created false if the very same job was there already
     */
    record Result(Job job, long revision, boolean created) {}

    /** Fails with {@code AlreadyExists} if another job has that id, {@code Conflict} while one of it is being deleted. */
    CompletableFuture<Result> add(Job job) {
        return add(job, MAX_TRIES);
    }

    private CompletableFuture<Result> add(Job job, int triesLeft) {
        return RecordEditor.ifKnown(writes.txn(transaction(keys, job))).thenCompose(result -> {
            if (result.isPresent()) {
                return added(job, result.get());
            }
            // If the lost one was applied, the next finds the very same job.
            return triesLeft > 1
                    ? add(job, triesLeft - 1).exceptionallyCompose(failure -> afterDoubt(job, failure))
                    : CompletableFuture.failedFuture(inDoubt(job, "the store doesn't answer"));
        });
    }

    static Txn transaction(Keys keys, Job job) {
        String key = keys.job(job.id());
        return new Txn(
                List.of(Compare.absent(key), Compare.absent(keys.state(job.id()))),
                List.of(Op.put(key, RecordEditor.payload(job))));
    }

    private CompletableFuture<Result> added(Job job, TxnResult result) {
        return result.succeeded()
                ? CompletableFuture.completedFuture(new Result(job, result.revision(), true))
                : records.find(job.id()).thenApply(found -> present(job, found));
    }

    /** What is there instead is read apart: in the answer to many it could be larger than an answer may be. */
    private static Result present(Job job, Optional<Stored> found) {
        if (found.isEmpty()) {
            throw new HeadmastException.Conflict(
                    "what is left of an earlier job " + job.id() + " is being cleaned up; try again");
        }
        Job stored = found.get().job();
        if (stored.status() == JobStatus.DELETING) {
            throw new HeadmastException.Conflict("job " + job.id() + " is being deleted; try again when it is gone");
        }
        if (!stored.equals(job)) {
            throw new HeadmastException.AlreadyExists(
                    "another job " + job.id() + " exists; choose another id, or update that one");
        }
        return new Result(stored, found.get().revision(), false);
    }

    /** A refusal of the second try doesn't say that the first wasn't applied: what it met may be that, changed since. */
    private static CompletableFuture<Result> afterDoubt(Job job, Throwable failure) {
        Throwable cause = SharedTxns.causeOf(failure);
        boolean leavesDoubt = cause instanceof HeadmastException.Unavailable
                || cause instanceof HeadmastException.StorageFull
                || cause instanceof HeadmastException.AlreadyExists
                || cause instanceof HeadmastException.Conflict;
        return CompletableFuture.failedFuture(leavesDoubt ? inDoubt(job, String.valueOf(cause.getMessage())) : cause);
    }

    private static HeadmastException inDoubt(Job job, String why) {
        return new HeadmastException.Indeterminate(
                "it is not known whether job " + job.id() + " was added by this call; look at it (" + why + ")");
    }
}
