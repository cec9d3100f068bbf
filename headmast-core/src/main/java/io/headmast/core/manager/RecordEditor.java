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
    }

    CompletableFuture<Stored> read(String jobId) {
        return store.txn(Txn.of(List.of(Op.get(keys.job(jobId)), Op.get(keys.state(jobId)))))
                .thenApply(result -> decode(jobId, result));
    }

    CompletableFuture<Stored> edit(String jobId, Edit edit) {
        return attempt(jobId, edit, Optional.empty(), MAX_TRIES);
    }

    /** @param sent what an earlier try sent and got no answer for */
    private CompletableFuture<Stored> attempt(String jobId, Edit edit, Optional<Sent> sent, int triesLeft) {
        if (triesLeft == 0) {
            return CompletableFuture.failedFuture(new HeadmastException.Unavailable(
                    "job " + jobId + " is changed by others all the time, or the store doesn't answer; try again"));
        }
        return read(jobId).thenCompose(stored -> {
            if (sent.isPresent() && stored.job().equals(sent.get().intended())) {
                return CompletableFuture.completedFuture(stored);
            }
            if (sent.isPresent() && stored.revision() != sent.get().base() && !edit.isIdempotent()) {
                return CompletableFuture.failedFuture(new HeadmastException.Indeterminate("job " + jobId
                        + " was changed by others and it is not known whether by this call too; look at it"));
            }
            Job next = edit.apply(stored);
            return next.equals(stored.job())
                    ? CompletableFuture.completedFuture(stored)
                    : write(stored, next, edit, triesLeft);
        });
    }

    private record Sent(long base, Job intended) {}

    private CompletableFuture<Stored> write(Stored stored, Job next, Edit edit, int triesLeft) {
        String jobId = next.id();
        List<Compare> compares = new ArrayList<>();
        compares.add(Compare.unmodified(keys.job(jobId), stored.revision()));
        // Whether a job has ended decides its next generation, so the state must still be the one that was read.
        if (next.generation() != stored.job().generation()) {
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
                    : attempt(jobId, edit, Optional.empty(), triesLeft - 1);
        });
    }

    /** What a transaction did; empty when that isn't known. */
    static CompletableFuture<Optional<TxnResult>> ifKnown(CompletableFuture<TxnResult> sent) {
        return sent.thenApply(Optional::of).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof HeadmastException.Indeterminate
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(failure);
        });
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
            return Job.unmarshalBinary(record.value().toByteArray());
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
