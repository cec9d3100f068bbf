// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A store in memory with a thread of its own, on which a test does by hand what a leader does. */
public final class LeaderByHand implements AutoCloseable {
    public static final Duration LIMIT = Duration.ofSeconds(20);
    static final String WORKER = "w";

    final ThreadLoop loop = new ThreadLoop("store");
    public final MvccStore store = new MvccStore(loop);
    private final Keys keys = Keys.DEFAULT;

    /** The context of a worker with that id and a short TTL. */
    public static WorkerContext.Builder context() {
        return WorkerContext.builder().workerId(WORKER).leaseTtl(Duration.ofSeconds(2));
    }

    static WorkerContext.Limits limits(Duration close, Duration start) {
        return new WorkerContext.Limits(10, LIMIT, close, start);
    }

    Optional<KeyValue> registration() {
        return read(keys.worker(WORKER));
    }

    boolean isAssigned(String jobId) {
        return read(keys.assignment(WORKER, jobId)).isPresent();
    }

    /** Places a job on the worker and returns the epoch. */
    public long place(Job job) {
        RunState state = RunState.unplaced(Phase.SCHEDULED, job.generation(), 0, Instant.EPOCH, "placed")
                .withWorker(Optional.of(WORKER), 0);
        return write(
                Op.put(keys.job(job.id()), Json.toPayload(job.toJson())),
                Op.put(keys.state(job.id()), state.toPayload()),
                Op.put(
                        keys.assignment(WORKER, job.id()),
                        Json.toPayload(new Assignment(TargetState.LAUNCHED).toJson()),
                        registration().orElseThrow().lease()));
    }

    /** Orders the worker to end that placement. */
    void kill(String jobId, long epoch) {
        KillOrder order = new KillOrder(epoch, Phase.KILLED, "killed");
        write(Op.put(
                keys.killer(WORKER, jobId),
                Json.toPayload(order.toJson()),
                registration().orElseThrow().lease()));
    }

    Optional<RunState> state(String jobId) {
        return read(keys.state(jobId))
                .map(item -> RunState.fromJson(Json.parseObject(item.value().toByteArray())));
    }

    /** Waits until the job's state is like that. */
    RunState await(String jobId, Predicate<RunState> like) {
        Await.until(
                "the state of " + jobId,
                LIMIT,
                () -> state(jobId),
                () -> state(jobId).filter(like).isPresent());
        return state(jobId).orElseThrow();
    }

    /** Waits until the job's state is that. */
    public RunState await(String jobId, Phase phase) {
        return await(jobId, state -> state.phase() == phase);
    }

    long write(Op... ops) {
        return Await.value(store.txn(Txn.of(List.of(ops))), LIMIT).revision();
    }

    private Optional<KeyValue> read(String key) {
        return Await.value(store.range(RangeRequest.key(key)), LIMIT).first();
    }

    @Override
    public void close() {
        store.close();
        loop.close();
    }
}
