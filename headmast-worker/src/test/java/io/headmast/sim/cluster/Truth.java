// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.Server;
import io.headmast.api.Worker;
import io.headmast.api.json.Json;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.store.memory.MvccStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the store really holds, revision by revision, and who wrote it. */
public final class Truth {
    private final MvccStore store;
    private final Keys keys;
    private final Consumer<Commit> committed;
    private final NavigableMap<String, KeyValue> now = new TreeMap<>();
    private final NavigableMap<Long, Commit> history = new TreeMap<>();
    private final Map<Long, Sent> writers = new HashMap<>();
    private long sent;
    private long revision;

    Truth(MvccStore store, Keys keys, Consumer<Commit> committed) {
        this.store = store;
        this.keys = keys;
        this.committed = committed;
        var unused = store.watch(new WatchRequest(KeyRange.prefix(keys.all()), 1), new Listener());
    }

    /** A process is about to send a transaction. */
    Sent sending(ClusterProcess process, Txn txn) {
        return new Sent(process, txn, ++sent, process.world().time().nanoTime());
    }

    /** Its process is told that nobody knows what became of it. */
    void isUnknown(Sent doubtful) {
        doubtful.isUnknown(sent);
    }

    /** A transaction comes to the store. */
    CompletableFuture<TxnResult> apply(Sent arrived) {
        return store.txn(arrived.txn()).thenApply(result -> {
            if (wrote(arrived.txn(), result)) {
                writers.put(result.revision(), arrived);
            }
            return result;
        });
    }

    private static boolean wrote(Txn txn, TxnResult result) {
        List<Op> taken = result.succeeded() ? txn.success() : txn.failure();
        for (int i = 0; i < taken.size(); i++) {
            Op op = taken.get(i);
            OpResult of = result.results().get(i);
            boolean wrote = op instanceof Op.Put
                    || (of instanceof OpResult.Deleted deleted && deleted.count() > 0)
                    || (op instanceof Op.Nested nested && wrote(nested.txn(), result.nested(i)));
            if (wrote) {
                return true;
            }
        }
        return false;
    }

    /** The last revision that changed anything. */
    public long revision() {
        return revision;
    }

    /** What there is, by ascending key. */
    public NavigableMap<String, KeyValue> now() {
        return Collections.unmodifiableNavigableMap(now);
    }

    /** What there was as of a revision. */
    public NavigableMap<String, KeyValue> at(long past) {
        NavigableMap<String, KeyValue> then = new TreeMap<>(now);
        for (Commit undone : history.tailMap(past, false).descendingMap().values()) {
            for (Commit.Change change : undone.changes()) {
                change.before().ifPresentOrElse(item -> then.put(change.key(), item), () -> then.remove(change.key()));
            }
        }
        return then;
    }

    /** What a key held before a commit. */
    public Optional<KeyValue> before(Commit commit, String key) {
        for (Commit.Change change : commit.changes()) {
            if (change.key().equals(key)) {
                return change.before();
            }
        }
        return Optional.ofNullable(now.get(key));
    }

    public Optional<KeyValue> item(String key) {
        return Optional.ofNullable(now.get(key));
    }

    public Optional<Job> job(String jobId) {
        return item(keys.job(jobId)).map(Truth::job);
    }

    public Optional<RunState> state(String jobId) {
        return item(keys.state(jobId)).map(Truth::state);
    }

    public Optional<Worker> worker(String workerId) {
        return item(keys.worker(workerId)).map(Truth::worker);
    }

    /** The jobs that have a record, by ascending id. */
    public List<String> jobIds() {
        return below(keys.jobs()).keySet().stream()
                .map(key -> key.substring(keys.jobs().length()))
                .toList();
    }

    /** The assignments of a job by worker, in ascending order. */
    public NavigableMap<String, KeyValue> assignments(String jobId) {
        NavigableMap<String, KeyValue> found = new TreeMap<>();
        below(keys.workers()).forEach((key, item) -> {
            if (keys.parse(key).orElseThrow() instanceof Keys.Name.OfAssignment of
                    && of.jobId().equals(jobId)) {
                found.put(of.workerId(), item);
            }
        });
        return found;
    }

    /** The jobs assigned to a worker, by ascending id. */
    public List<String> assignedTo(String workerId) {
        String path = keys.workingPath(workerId);
        return below(path).keySet().stream()
                .map(key -> key.substring(path.length()))
                .toList();
    }

    public NavigableMap<String, KeyValue> below(String prefix) {
        return now.subMap(prefix, true, KeyRange.prefix(prefix).to(), false);
    }

    public static Job job(KeyValue item) {
        return Job.unmarshalBinary(item.value().toByteArray());
    }

    public static RunState state(KeyValue item) {
        return RunState.fromJson(Json.parseObject(item.value().toByteArray()));
    }

    /** The epoch that a state names. */
    public static long epoch(KeyValue item) {
        RunState state = state(item);
        return state.phase() == Phase.SCHEDULED && state.epoch() == 0 ? item.modRevision() : state.epoch();
    }

    public static Worker worker(KeyValue item) {
        return Worker.unmarshalBinary(item.value().toByteArray());
    }

    public static Server server(KeyValue item) {
        return Server.fromJson(Json.parseObject(item.value().toByteArray()));
    }

    public static Cordon cordon(KeyValue item) {
        return Cordon.fromJson(Json.parseObject(item.value().toByteArray()));
    }

    public static KillOrder killOrder(KeyValue item) {
        return KillOrder.fromJson(Json.parseObject(item.value().toByteArray()));
    }

    private final class Listener implements WatchListener {
        @Override
        public void onEvents(long upTo, List<WatchEvent> events) {
            int begin = 0;
            while (begin < events.size()) {
                int end = begin;
                while (end < events.size()
                        && events.get(end).revision() == events.get(begin).revision()) {
                    end++;
                }
                happened(events.subList(begin, end));
                begin = end;
            }
        }

        @Override
        public void onProgress(long upTo) {}

        @Override
        public void onBroken(Throwable cause) {
            throw new IllegalStateException("the truth is lost", cause);
        }
    }

    private void happened(List<WatchEvent> events) {
        revision = events.get(0).revision();
        List<Commit.Change> changes = new ArrayList<>();
        for (WatchEvent event : events) {
            String key = event.key();
            @Nullable KeyValue after = event instanceof WatchEvent.Put put ? put.current() : null;
            @Nullable KeyValue before = after == null ? now.remove(key) : now.put(key, after);
            changes.add(new Commit.Change(
                    keys.parse(key).orElseThrow(), key, Optional.ofNullable(before), Optional.ofNullable(after)));
        }
        Commit commit = new Commit(revision, Optional.ofNullable(writers.remove(revision)), changes);
        history.put(revision, commit);
        committed.accept(commit);
    }
}
