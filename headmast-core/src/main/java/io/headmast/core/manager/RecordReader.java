// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.RunState;
import io.headmast.api.json.Json;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads records as the store has them now (linearizable). Reads of single records that come together share a
 * transaction. Thread-safe. Futures fail with {@code Unavailable} when the store doesn't answer: a read leaves no doubt.
 */
final class RecordReader {
    private final KeyValueStore store;
    private final Keys keys;
    private final RecordSizes sizes = new RecordSizes();
    private final SharedTxns reads;

    RecordReader(KeyValueStore store, Keys keys) {
        this.store = store;
        this.keys = keys;
        this.reads = new SharedTxns(store, sizes::fitting);
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

    /** A record and its state; {@code NotFound} if there is none, {@code Conflict} if it can't be read. */
    CompletableFuture<Stored> read(String jobId) {
        return find(jobId).thenApply(found -> found.orElseThrow(() -> absent(jobId)));
    }

    static HeadmastException.NotFound absent(String jobId) {
        return new HeadmastException.NotFound("there is no job " + jobId);
    }

    /** The same without a failure when there is none. */
    CompletableFuture<Optional<Stored>> find(String jobId) {
        Txn txn = Txn.of(List.of(Op.get(keys.job(jobId)), Op.get(keys.state(jobId))));
        return withoutDoubt(reads.txn(txn)).thenApply(result -> decode(jobId, result));
    }

    /** How many records {@link #records} should be asked for at once. */
    int fitting() {
        return sizes.fitting();
    }

    /** The records of these jobs, at most {@value RecordSizes#MOST}, in their order; those that aren't there are left out. */
    CompletableFuture<List<KeyValue>> records(List<String> jobIds) {
        List<Op> gets = new ArrayList<>(jobIds.size());
        jobIds.forEach(id -> gets.add(Op.get(keys.job(id))));
        return withoutDoubt(store.txn(Txn.of(gets)))
                .thenApply(result -> taken(result, jobIds.size()))
                .exceptionallyCompose(failure -> inHalves(jobIds, failure));
    }

    private List<KeyValue> taken(TxnResult result, int count) {
        List<KeyValue> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.addAll(result.got(i));
        }
        records.forEach(record -> sizes.saw(record.value().size()));
        return records;
    }

    private CompletableFuture<List<KeyValue>> inHalves(List<String> jobIds, Throwable failure) {
        Throwable cause = SharedTxns.causeOf(failure);
        if (!(cause instanceof HeadmastException.TooLarge) || jobIds.size() == 1) {
            return CompletableFuture.failedFuture(cause);
        }
        int half = jobIds.size() / 2;
        return records(jobIds.subList(0, half))
                .thenCombine(records(jobIds.subList(half, jobIds.size())), RecordReader::joined);
    }

    private static List<KeyValue> joined(List<KeyValue> one, List<KeyValue> other) {
        List<KeyValue> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }

    private Optional<Stored> decode(String jobId, TxnResult result) {
        if (result.got(0).isEmpty()) {
            return Optional.empty();
        }
        KeyValue record = result.got(0).get(0);
        sizes.saw(record.value().size());
        Optional<KeyValue> state = result.got(1).stream().findFirst();
        return Optional.of(new Stored(
                readable(jobId, record),
                record.modRevision(),
                state.flatMap(RecordReader::stateIn),
                state.map(KeyValue::modRevision).orElse(0L)));
    }

    private static Job readable(String jobId, KeyValue record) {
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

    private static CompletableFuture<TxnResult> withoutDoubt(CompletableFuture<TxnResult> read) {
        return read.exceptionallyCompose(failure -> {
            Throwable cause = SharedTxns.causeOf(failure);
            return CompletableFuture.failedFuture(
                    cause instanceof HeadmastException.Indeterminate doubt
                            ? new HeadmastException.Unavailable(doubt.detail())
                            : cause);
        });
    }
}
