// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.RunState;
import io.headmast.api.Server;
import io.headmast.api.Worker;
import io.headmast.api.json.Json;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.JobScheduler;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.memory.MvccStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A cluster in virtual time: servers and poor workers, each on a loop and a way to the store of its own, around one store
 * in memory. Everything happens in {@link #advance} and is the same in every run.
 */
public final class TestCluster {
    public static final Duration TTL = Duration.ofSeconds(10);

    private static final int BATCH = 100;

    private final VirtualLoop time = new VirtualLoop();
    private final MvccStore store = new MvccStore(time);
    private final Keys keys = Keys.DEFAULT;
    private final RunLog log = new RunLog();

    /** A server that isn't started, so that a manager can follow its mirror from the beginning. */
    public record TestServer(
            PausableLoop loop, FaultyStore store, ClusterMirror mirror, JobScheduler scheduler, Server self) {
        public TestServer start() {
            mirror.start();
            scheduler.start();
            return this;
        }

        /** Ends as a crash does. */
        public void kill9() {
            loop.stop();
            store.cut();
        }
    }

    public VirtualLoop time() {
        return time;
    }

    /** The store itself: it never fails. */
    public MvccStore store() {
        return store;
    }

    public Keys keys() {
        return keys;
    }

    public RunLog runs() {
        return log;
    }

    public TestServer server(String id) {
        return server(id, new RoundbinPolicy());
    }

    public TestServer server(String id, SchedulePolicy policy) {
        return server(id, Scheduling.of(policy));
    }

    public TestServer server(String id, Scheduling scheduling) {
        var loop = new PausableLoop(time);
        var way = new FaultyStore(store, time);
        var mirror = new ClusterMirror(way, loop, keys, MirrorOptions.standard(new Random(id.hashCode())));
        Server self = Samples.server(id);
        return new TestServer(loop, way, mirror, new JobScheduler(way, mirror, scheduling, self, TTL), self);
    }

    /** A worker that registers and begins to work. */
    public PoorWorker worker(Worker registration) {
        return worker(registration, new FaultyStore(store, time));
    }

    public PoorWorker worker(Worker registration, FaultyStore way) {
        return new PoorWorker(way, new PausableLoop(time), keys, log, registration);
    }

    public FaultyStore wayToStore() {
        return new FaultyStore(store, time);
    }

    public void advance(Duration duration) {
        time.advance(duration);
    }

    /** Long enough for everything that waits for nothing but answers and short pauses. */
    public void settle() {
        time.advance(Duration.ofSeconds(1));
    }

    public <T> T get(CompletableFuture<T> future) {
        time.runUntilIdle();
        for (int i = 0; i < 300 && !future.isDone(); i++) {
            time.advance(Duration.ofMillis(100));
        }
        return Await.value(future, Duration.ZERO);
    }

    public TxnResult commit(Op... operations) {
        return get(store.txn(Txn.of(List.of(operations))));
    }

    /** Writes records directly. */
    public void submit(Job... jobs) {
        for (int from = 0; from < jobs.length; from += BATCH) {
            List<Op> puts = new ArrayList<>();
            for (int i = from; i < Math.min(jobs.length, from + BATCH); i++) {
                puts.add(Op.put(keys.job(jobs[i].id()), Payload.wrap(jobs[i].marshalBinary())));
            }
            var unused = get(store.txn(Txn.of(puts)));
        }
    }

    /** Writes records of the default form, named with numbers from {@code first} on. */
    public void submitMany(String prefix, int count) {
        Job[] jobs = new Job[count];
        for (int i = 0; i < count; i++) {
            jobs[i] = Samples.job(prefix + i);
        }
        submit(jobs);
    }

    /** Changes a record directly. */
    public void change(String jobId, UnaryOperator<Job.Builder> edit) {
        submit(edit.apply(job(jobId).orElseThrow().toBuilder()).build());
    }

    public void kill(String jobId) {
        change(jobId, job -> job.status(JobStatus.KILLED));
    }

    public void delete(String jobId) {
        change(jobId, job -> job.status(JobStatus.DELETING));
    }

    public Optional<Job> job(String jobId) {
        return read(keys.job(jobId))
                .map(item -> Job.unmarshalBinary(item.value().toByteArray()));
    }

    public Optional<RunState> state(String jobId) {
        return read(keys.state(jobId))
                .map(item -> RunState.fromJson(Json.parseObject(item.value().toByteArray())));
    }

    /** The server that the leader key names; empty when nobody leads. */
    public Optional<String> leader() {
        return read(keys.leader())
                .map(item -> Server.fromJson(Json.parseObject(item.value().toByteArray()))
                        .id());
    }

    public Optional<KeyValue> read(String key) {
        return get(store.range(RangeRequest.key(key))).first();
    }

    /** The keys of a prefix, without it. */
    public List<String> names(String prefix) {
        RangeResult found = get(store.range(RangeRequest.of(KeyRange.prefix(prefix))));
        return found.items().stream()
                .map(item -> item.key().substring(prefix.length()))
                .toList();
    }

    public long revision() {
        return get(store.range(RangeRequest.key("?"))).revision();
    }
}
