// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.core.agent.Reading;
import io.headmast.core.agent.Task;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
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
    private final TaskTransaction transactions;
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
        this.transactions = new TaskTransaction(keys, workerId);
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
        batch.forEach(read -> gets.addAll(transactions.gets(read.task())));
        readUnderWay = true;
        loop.when(
                store.txn(Txn.of(gets)),
                result -> {
                    readUnderWay = false;
                    for (int i = 0; i < batch.size(); i++) {
                        PendingRead read = batch.get(i);
                        answer(read, Optional.of(transactions.reading(result, i, read.refusal())));
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

    private void nextWrite() {
        if (writeUnderWay || writes.isEmpty()) {
            return;
        }
        List<PendingWrite> batch = take(writes, WRITES);
        List<Op> nested = new ArrayList<>();
        batch.forEach(write -> nested.add(new Op.Nested(transactions.of(write.task()))));
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

    private static <T> List<T> take(Deque<T> from, int most) {
        List<T> taken = new ArrayList<>();
        while (!from.isEmpty() && taken.size() < most) {
            taken.add(from.remove());
        }
        return taken;
    }
}
