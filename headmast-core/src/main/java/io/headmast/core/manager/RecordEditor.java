// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.RunState;
import io.headmast.api.json.Json;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Changes a job's record by compare-and-swap: read, edit, write if nobody else did meanwhile, and again otherwise. An
 * answer that never came is resolved by reading: what was intended is there, or the write is sent again under the same
 * compare, so that it can't happen twice. Thread-safe; at most {@value #MAX_TRIES} tries.
 */
final class RecordEditor {
    private static final int MAX_TRIES = 16;

    private final KeyValueStore store;
    private final Keys keys;

    RecordEditor(KeyValueStore store, Keys keys) {
        this.store = store;
        this.keys = keys;
    }

    /**
     * A record as the store has it.
     *
     * @param state the run's state beside it, if there is one that can be read
     */
    record Stored(Job job, long revision, Optional<RunState> state, long stateRevision) {
        /** Whether its last run ended by itself and no newer generation was asked for. */
        boolean hasEnded() {
            return state.filter(last -> last.phase().isTerminal() && last.generation() >= job.generation())
                    .isPresent();
        }
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

    CompletableFuture<Stored> read(String jobId) {
        return store.txn(Txn.of(List.of(Op.get(keys.job(jobId)), Op.get(keys.state(jobId)))))
                .thenApply(result -> decode(jobId, result));
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
        CompletableFuture<Stored> outcome = read(jobId).thenCompose(stored -> onto(stored, edit, sent, triesLeft));
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
        Throwable cause = causeOf(failure);
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
        List<Compare> compares = new ArrayList<>();
        compares.add(Compare.unmodified(keys.job(jobId), stored.revision()));
        if (edit.dependsOnState()) {
            compares.add(Compare.unmodified(keys.state(jobId), stored.stateRevision()));
        }
        Txn txn = new Txn(compares, List.of(Op.put(keys.job(jobId), payload(next))));
        return ifKnown(store.txn(txn)).thenCompose(result -> {
            if (result.isEmpty()) {
                return attempt(jobId, edit, Optional.of(new Sent(stored.revision(), next)), triesLeft - 1);
            }
            return result.get().succeeded()
                    ? CompletableFuture.completedFuture(
                            new Stored(next, result.get().revision(), stored.state(), stored.stateRevision()))
                    : attempt(jobId, edit, sent, triesLeft - 1);
        });
    }

    /** What a transaction did; empty when that isn't known. */
    static CompletableFuture<Optional<TxnResult>> ifKnown(CompletableFuture<TxnResult> sent) {
        return sent.thenApply(Optional::of).exceptionallyCompose(failure -> {
            return causeOf(failure) instanceof HeadmastException.Indeterminate
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(failure);
        });
    }

    static Throwable causeOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    static Payload payload(Job job) {
        return Payload.wrap(job.marshalBinary());
    }

    private Stored decode(String jobId, TxnResult result) {
        if (result.got(0).isEmpty()) {
            throw new HeadmastException.NotFound("there is no job " + jobId);
        }
        KeyValue record = result.got(0).get(0);
        Optional<KeyValue> state = result.got(1).stream().findFirst();
        return new Stored(
                readable(jobId, record),
                record.modRevision(),
                state.flatMap(RecordEditor::stateIn),
                state.map(KeyValue::modRevision).orElse(0L));
    }

    static Job readable(String jobId, KeyValue record) {
        try {
            Job job = Job.unmarshalBinary(record.value().toByteArray());
            if (job.id().equals(jobId)) {
                return job;
            }
            throw new HeadmastException.Invalid("id", "is not the one in the key");
        } catch (HeadmastException.Invalid e) {
            throw new HeadmastException.Conflict("the record of job " + jobId + " in the store can't be read ("
                    + e.detail() + "); an operator has to mend or delete its key");
        }
    }

    private static Optional<RunState> stateIn(KeyValue state) {
        try {
            return Optional.of(RunState.fromJson(Json.parseObject(state.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
