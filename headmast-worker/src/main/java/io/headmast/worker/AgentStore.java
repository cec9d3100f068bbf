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
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an agent reads and writes: new assignments' records, {@value #READS} to a transaction; reports and releases, up
 * to {@value #WRITES} nested ones to a transaction, each with its own compares. While one is on its way the next
 * gathers, so batches grow with the load by themselves. It belongs to the agent's loop.
 */
final class AgentStore {
    private static final Logger LOG = LoggerFactory.getLogger(AgentStore.class);
    private static final int READS = 40;
    private static final int WRITES = 100;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final Keys keys;
    private final String workerId;
    private final Deque<PendingRead> reads = new ArrayDeque<>();
    private final Deque<PendingWrite> writes = new ArrayDeque<>();
    private boolean readUnderWay;
    private boolean writeUnderWay;

    /** What a read found; nothing if it failed. */
    record ReadAnswer(String jobId, long epoch, Optional<Reading> found) {}

    /**
     * What became of a write.
     *
     * @param applied false also when that isn't known
     * @param revision at which it was applied
     */
    record Written(boolean applied, long revision) {
        static final Written UNKNOWN = new Written(false, 0);

        boolean isUnknown() {
            return revision == 0;
        }
    }

    private record PendingRead(Task.Read task, Function<Job, Optional<String>> refusal, Consumer<ReadAnswer> done) {}

    private record PendingWrite(Task task, BiConsumer<Task, Written> done) {}

    AgentStore(KeyValueStore store, EventLoop loop, Keys keys, String workerId) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.workerId = workerId;
    }

    void read(List<Task.Read> tasks, Function<Job, Optional<String>> refusal, Consumer<ReadAnswer> done) {
        tasks.forEach(task -> reads.add(new PendingRead(task, refusal, done)));
        nextRead();
    }

    void write(List<Task> tasks, BiConsumer<Task, Written> done) {
        tasks.forEach(task -> writes.add(new PendingWrite(task, done)));
        nextWrite();
    }

    private void nextRead() {
        if (readUnderWay || reads.isEmpty()) {
            return;
        }
        List<PendingRead> batch = take(reads, READS);
        List<Op> gets = new ArrayList<>();
        for (PendingRead read : batch) {
            String jobId = read.task().jobId();
            gets.add(Op.get(keys.assignment(workerId, jobId)));
            gets.add(Op.get(keys.job(jobId)));
            gets.add(Op.get(keys.state(jobId)));
        }
        readUnderWay = true;
        loop.when(
                store.txn(Txn.of(gets)),
                result -> {
                    readUnderWay = false;
                    for (int i = 0; i < batch.size(); i++) {
                        answer(batch.get(i), Optional.of(reading(batch.get(i), result, i * 3)));
                    }
                    nextRead();
                },
                failure -> {
                    LOG.warn("can't read assignments; tries again count={} cause={}", batch.size(), failure.toString());
                    var unused = loop.schedule(RETRY_PAUSE, () -> {
                        readUnderWay = false;
                        batch.forEach(read -> answer(read, Optional.empty()));
                        nextRead();
                    });
                });
    }

    private static void answer(PendingRead read, Optional<Reading> found) {
        read.done().accept(new ReadAnswer(read.task().jobId(), read.task().epoch(), found));
    }

    private Reading reading(PendingRead read, TxnResult result, int at) {
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
                job.flatMap(read.refusal()));
    }

    private static <T> Optional<T> decode(KeyValue item, Function<JsonObject, T> reader) {
        try {
            return Optional.of(reader.apply(Json.parseObject(item.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            LOG.warn("corrupt value key={} problem={}", item.key(), Json.quote(e.detail()));
            return Optional.empty();
        }
    }

    private void nextWrite() {
        if (writeUnderWay || writes.isEmpty()) {
            return;
        }
        List<PendingWrite> batch = take(writes, WRITES);
        List<Op> nested = new ArrayList<>();
        batch.forEach(write -> nested.add(new Op.Nested(transaction(write.task()))));
        writeUnderWay = true;
        loop.when(
                store.txn(Txn.of(nested)),
                result -> {
                    writeUnderWay = false;
                    for (int i = 0; i < batch.size(); i++) {
                        boolean applied = result.nested(i).succeeded();
                        PendingWrite write = batch.get(i);
                        write.done().accept(write.task(), new Written(applied, result.revision()));
                    }
                    nextWrite();
                },
                failure -> {
                    LOG.warn("can't report; reads and tries again count={} cause={}", batch.size(), failure.toString());
                    var unused = loop.schedule(RETRY_PAUSE, () -> {
                        writeUnderWay = false;
                        batch.forEach(write -> write.done().accept(write.task(), Written.UNKNOWN));
                        nextWrite();
                    });
                });
    }

    private Txn transaction(Task task) {
        if (task instanceof Task.Report report) {
            return new Txn(
                    ours(report.jobId(), report.epoch(), report.stateRevision()),
                    List.of(Op.put(keys.state(report.jobId()), report.state().toPayload())));
        } else if (task instanceof Task.Release release) {
            return release(release);
        } else if (task instanceof Task.DropKiller drop) {
            String killer = keys.killer(workerId, drop.jobId());
            return new Txn(List.of(Compare.unmodified(killer, drop.killerRevision())), List.of(Op.delete(killer)));
        }
        throw new IllegalStateException("not a write: " + task);
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

    private static <T> List<T> take(Deque<T> from, int most) {
        List<T> taken = new ArrayList<>();
        while (!from.isEmpty() && taken.size() < most) {
            taken.add(from.remove());
        }
        return taken;
    }
}
