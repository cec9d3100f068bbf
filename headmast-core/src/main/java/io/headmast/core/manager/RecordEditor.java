// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.core.manager.RecordReader.Stored;
import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Changes a job's record by compare-and-swap: read, edit, write if nobody else did meanwhile, and again otherwise. An
 * answer that never came is resolved by reading: what was intended is there, or the write is sent again under the same
 * compare, so that it can't happen twice. Reads and writes of edits that come together share transactions. Thread-safe;
 * at most {@value #MAX_TRIES} tries.
 */
final class RecordEditor {
    private static final int MAX_TRIES = 16;

    private final Keys keys;
    private final RecordReader records;
    private final SharedTxns writes;

    RecordEditor(Keys keys, RecordReader records, SharedTxns writes) {
        this.keys = keys;
        this.records = records;
        this.writes = writes;
    }

    /** What to write; must give the same for the same, and may throw a {@link HeadmastException}. */
    interface Edit {
        Job apply(Stored stored);

        /** Whether applying it to its own result changes nothing. */
        default boolean isIdempotent() {
            return true;
        }

        /** Whether it asks if the run has ended: then the state must still be the one that was read. */
        default boolean dependsOnState() {
            return false;
        }

        /** Whether a record that is gone is what it was to bring about. */
        default boolean leadsToAbsence() {
            return false;
        }
    }

    CompletableFuture<Stored> edit(String jobId, Edit edit) {
        return attempt(jobId, edit, Optional.empty(), MAX_TRIES);
    }

    /** @param sent what an earlier try sent and got no answer for: it may still be applied */
    private CompletableFuture<Stored> attempt(String jobId, Edit edit, Optional<Sent> sent, int triesLeft) {
        if (triesLeft == 0) {
            return CompletableFuture.failedFuture(
                    sent.isPresent()
                            ? inDoubt(jobId, "the store doesn't answer")
                            : new HeadmastException.Unavailable(
                                    "job " + jobId + " is changed by others all the time; try again"));
        }
        CompletableFuture<Stored> outcome =
                records.read(jobId).thenCompose(stored -> onto(stored, edit, sent, triesLeft));
        return sent.isEmpty()
                ? outcome
                : outcome.exceptionallyCompose(failure -> afterDoubt(jobId, edit, sent.get(), failure));
    }

    private CompletableFuture<Stored> onto(Stored stored, Edit edit, Optional<Sent> sent, int triesLeft) {
        String jobId = stored.job().id();
        if (sent.isPresent() && stored.job().equals(sent.get().intended())) {
            return CompletableFuture.completedFuture(stored);
        }
        if (sent.isPresent() && stored.revision() != sent.get().base() && !edit.isIdempotent()) {
            return CompletableFuture.failedFuture(inDoubt(jobId, "others changed it meanwhile"));
        }
        Job next = edit.apply(stored);
        return next.equals(stored.job())
                ? CompletableFuture.completedFuture(stored)
                : write(stored, next, edit, sent, triesLeft);
    }

    /** A failure can't say any more that nothing was changed. */
    private static CompletableFuture<Stored> afterDoubt(String jobId, Edit edit, Sent sent, Throwable failure) {
        Throwable cause = SharedTxns.causeOf(failure);
        if (cause instanceof HeadmastException.NotFound && edit.leadsToAbsence()) {
            return CompletableFuture.completedFuture(new Stored(sent.intended(), sent.base(), Optional.empty(), 0));
        }
        boolean says = cause instanceof HeadmastException.NotFound
                || cause instanceof HeadmastException.Indeterminate
                || !(cause instanceof HeadmastException);
        return CompletableFuture.failedFuture(says ? cause : inDoubt(jobId, String.valueOf(cause.getMessage())));
    }

    private static HeadmastException inDoubt(String jobId, String why) {
        return new HeadmastException.Indeterminate(
                "it is not known whether job " + jobId + " was changed by this call; look at it (" + why + ")");
    }

    private record Sent(long base, Job intended) {}

    private CompletableFuture<Stored> write(Stored stored, Job next, Edit edit, Optional<Sent> sent, int triesLeft) {
        String jobId = next.id();
        return ifKnown(writes.txn(transaction(keys, stored, next, edit))).thenCompose(result -> {
            if (result.isEmpty()) {
                return attempt(jobId, edit, Optional.of(new Sent(stored.revision(), next)), triesLeft - 1);
            }
            return result.get().succeeded()
                    ? CompletableFuture.completedFuture(
                            new Stored(next, result.get().revision(), stored.state(), stored.stateRevision()))
                    : attempt(jobId, edit, sent, triesLeft - 1)
                            .exceptionallyCompose(failure -> ifGone(stored, next, edit, failure));
        });
    }

    static Txn transaction(Keys keys, Stored stored, Job next, Edit edit) {
        String jobId = next.id();
        List<Compare> compares = new ArrayList<>();
        compares.add(Compare.unmodified(keys.job(jobId), stored.revision()));
        if (edit.dependsOnState()) {
            compares.add(Compare.unmodified(keys.state(jobId), stored.stateRevision()));
        }
        return new Txn(compares, List.of(Op.put(keys.job(jobId), payload(next))));
    }

    /** It was there and isn't any more: whoever wanted that has it. */
    private static CompletableFuture<Stored> ifGone(Stored seen, Job intended, Edit edit, Throwable failure) {
        Throwable cause = SharedTxns.causeOf(failure);
        return cause instanceof HeadmastException.NotFound && edit.leadsToAbsence()
                ? CompletableFuture.completedFuture(new Stored(intended, seen.revision(), Optional.empty(), 0))
                : CompletableFuture.failedFuture(cause);
    }

    /** What a transaction did; empty when that isn't known. */
    static CompletableFuture<Optional<TxnResult>> ifKnown(CompletableFuture<TxnResult> sent) {
        return sent.thenApply(Optional::of).exceptionallyCompose(failure -> {
            return SharedTxns.causeOf(failure) instanceof HeadmastException.Indeterminate
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(failure);
        });
    }

    static Payload payload(Job job) {
        return Payload.wrap(job.marshalBinary());
    }
}
