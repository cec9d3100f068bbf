// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.RunState;
import io.headmast.api.json.Json;
import io.headmast.core.agent.Reading;
import io.headmast.core.agent.Task;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a worker's tasks into transactions that compare every fact the tasks rest on, and answers into what they say. */
final class TaskTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(TaskTransaction.class);

    /** How many keys a read takes. */
    private static final int GETS = 3;

    private final Keys keys;
    private final String workerId;

    TaskTransaction(Keys keys, String workerId) {
        this.keys = keys;
        this.workerId = workerId;
    }

    /** The operations of a read, of which many may share a transaction without compares. */
    List<Op> gets(Task.Read read) {
        String jobId = read.jobId();
        return List.of(Op.get(keys.assignment(workerId, jobId)), Op.get(keys.job(jobId)), Op.get(keys.state(jobId)));
    }

    /**
     * What a read found.
     *
     * @param index which of the reads in the transaction it was
     * @param refusal why this worker can't run a job; empty if it can
     */
    Reading reading(TxnResult result, int index, Function<Job, Optional<String>> refusal) {
        int at = index * GETS;
        long epoch = result.got(at).stream()
                .findFirst()
                .map(KeyValue::createRevision)
                .orElse(0L);
        Optional<KeyValue> state = result.got(at + 2).stream().findFirst();
        Optional<Job> job = result.got(at + 1).stream().findFirst().flatMap(item -> decode(item, Job::fromJson));
        return new Reading(
                epoch,
                job,
                state.flatMap(item -> decode(item, RunState::fromJson))
                        .filter(found -> found.worker().filter(workerId::equals).isPresent()),
                state.map(KeyValue::modRevision).orElse(0L),
                job.flatMap(refusal));
    }

    private static <T> Optional<T> decode(KeyValue item, Function<JsonObject, T> reader) {
        try {
            return Optional.of(reader.apply(Json.parseObject(item.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            LOG.warn("corrupt value key={} problem={}", item.key(), Json.quote(e.detail()));
            return Optional.empty();
        }
    }

    /** The transaction of a write. */
    Txn of(Task task) {
        if (task instanceof Task.Report report) {
            return new Txn(
                    ours(report.jobId(), report.epoch(), report.stateRevision()),
                    List.of(Op.put(keys.state(report.jobId()), report.state().toPayload())));
        } else if (task instanceof Task.Release release) {
            return release(release);
        } else if (task instanceof Task.DropKiller drop) {
            return drop(drop);
        }
        throw new IllegalStateException("not a write: " + task);
    }

    /** Only an order that is about nothing goes: the mirror may have lost the assignment that it is about. */
    private Txn drop(Task.DropKiller drop) {
        String killer = keys.killer(workerId, drop.jobId());
        return new Txn(
                List.of(
                        Compare.unmodified(killer, drop.killerRevision()),
                        Compare.absent(keys.assignment(workerId, drop.jobId()))),
                List.of(Op.delete(killer)));
    }

    private Txn release(Task.Release release) {
        String jobId = release.jobId();
        List<Op> writes = new ArrayList<>();
        writes.add(Op.delete(keys.assignment(workerId, jobId)));
        writes.add(Op.delete(keys.killer(workerId, jobId)));
        release.state().ifPresent(state -> writes.add(Op.put(keys.state(jobId), state.toPayload())));
        List<Compare> compares = release.state().isPresent()
                ? ours(jobId, release.epoch(), release.stateRevision())
                : List.of(Compare.created(keys.assignment(workerId, jobId), release.epoch()));
        return new Txn(compares, writes);
    }

    private List<Compare> ours(String jobId, long epoch, long stateRevision) {
        return List.of(
                Compare.created(keys.assignment(workerId, jobId), epoch),
                Compare.unmodified(keys.state(jobId), stateRevision));
    }
}
