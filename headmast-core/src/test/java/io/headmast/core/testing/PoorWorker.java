// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Keys.Name;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import io.headmast.api.json.Json;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.mirror.Mirror;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.mirror.MirrorSource;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * The least that a worker has to do for the leader's part to be tested: it registers on a lease, reports what is assigned
 * to it as running, and gives up what it is told to. It never starts anything twice, and its jobs do nothing.
 */
public final class PoorWorker {
    private static final int BATCH = 60;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final Keys keys;
    private final RunLog log;
    private final Mirror<KeyValue> mirror;

    /** What runs here, and the state each run has written last. */
    private final Map<String, Written> runs = new TreeMap<>();

    private final PoorRegistration registration;
    private boolean dead;

    private record Written(long epoch, long revision, RunState state) {}

    PoorWorker(KeyValueStore store, EventLoop loop, Keys keys, RunLog log, Worker registration) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.log = log;
        this.registration = new PoorRegistration(store, loop, keys, registration);
        var source = new MirrorSource(store, KeyRange.prefix(keys.workerTree(registration.id())), loop);
        mirror = new Mirror<>(source, Optional::of, MirrorOptions.standard(new Random(1)), this::moved);
        mirror.start();
        this.registration.start();
    }

    public String id() {
        return registration.id();
    }

    /** The lease it registered on. */
    public long leaseId() {
        return registration.leaseId();
    }

    /** Ends as a crash does: its lease lapses later. */
    public void kill9() {
        dead = true;
        registration.stop();
        mirror.close();
        log.workerEnded(id());
    }

    /** Writes another registration. */
    public void change(Worker next) {
        registration.change(next);
    }

    /** Lets a run end by itself. */
    public void finish(String jobId, Phase phase) {
        release(List.of(jobId), (id, run) -> run.state().to(phase, loop.wallTime(), "ended"));
    }

    /** Gives a run back as one that it can't run. */
    public void handBack(String jobId, Duration pause) {
        release(List.of(jobId), (id, run) -> {
            var handBack = new RunState.HandBack(
                    id(), registration.revision(), 1, loop.wallTime().plus(pause), "can't");
            return run.state().to(Phase.PENDING, loop.wallTime(), "can't").withHandBacks(List.of(handBack));
        });
    }

    private void moved(long revision, List<Difference<KeyValue>> differences) {
        List<KeyValue> fresh = new ArrayList<>();
        List<String> toEnd = new ArrayList<>();
        for (Difference<KeyValue> difference : differences) {
            Name name = keys.parse(difference.key()).orElseThrow();
            if (name instanceof Name.OfAssignment of) {
                assignmentChanged(of.jobId(), difference, fresh);
            } else if (name instanceof Name.OfKiller of && difference.after().isPresent()) {
                toEnd.add(of.jobId());
            }
        }
        for (int from = 0; from < fresh.size(); from += BATCH) {
            begin(fresh.subList(from, Math.min(fresh.size(), from + BATCH)));
        }
        for (int from = 0; from < toEnd.size(); from += BATCH) {
            obey(toEnd.subList(from, Math.min(toEnd.size(), from + BATCH)));
        }
    }

    private void assignmentChanged(String jobId, Difference<KeyValue> difference, List<KeyValue> fresh) {
        Optional<Entry<KeyValue>> after = difference.after();
        Written run = runs.get(jobId);
        if (run != null
                && after.filter(entry -> entry.createRevision() == run.epoch).isEmpty()) {
            runs.remove(jobId);
            log.ended(jobId);
        }
        if (after.isPresent() && !runs.containsKey(jobId)) {
            fresh.add(after.get().value());
        }
    }

    /** Reads the states of new assignments, and reports those that are meant as running. */
    private void begin(List<KeyValue> assignments) {
        List<KeyValue> some = List.copyOf(assignments);
        List<Op> reads = new ArrayList<>();
        some.forEach(assignment -> reads.add(Op.get(keys.state(jobOf(assignment)))));
        loop.when(store.txn(Txn.of(reads)), result -> report(some, result), failure -> later(() -> begin(some)));
    }

    private void report(List<KeyValue> assignments, TxnResult read) {
        Map<String, Written> begun = new LinkedHashMap<>();
        for (int i = 0; i < assignments.size(); i++) {
            KeyValue assignment = assignments.get(i);
            read.got(i).stream()
                    .filter(item -> item.modRevision() == assignment.createRevision())
                    .findFirst()
                    .ifPresent(item -> begun.put(jobOf(assignment), begun(assignment, item)));
        }
        write(begun, false);
    }

    private Written begun(KeyValue assignment, KeyValue state) {
        RunState scheduled = RunState.fromJson(Json.parseObject(state.value().toByteArray()));
        return new Written(
                assignment.createRevision(),
                state.modRevision(),
                scheduled
                        .to(Phase.RUNNING, loop.wallTime(), "reported")
                        .withWorker(Optional.of(id()), assignment.createRevision())
                        .withAttempt(scheduled.attempt() + 1));
    }

    private void obey(List<String> jobIds) {
        List<String> ended = new ArrayList<>();
        for (String jobId : jobIds) {
            Written run = runs.get(jobId);
            if (run != null && orderFor(jobId, run).isPresent()) {
                ended.add(jobId);
            }
        }
        release(
                ended,
                (jobId, run) ->
                        run.state().to(orderFor(jobId, run).orElseThrow().then(), loop.wallTime(), "released"));
    }

    private Optional<KillOrder> orderFor(String jobId, Written run) {
        return Optional.ofNullable(mirror.entries().get(keys.killer(id(), jobId)))
                .flatMap(entry -> readable(entry.value()))
                .filter(order -> order.epoch() == run.epoch);
    }

    private static Optional<KillOrder> readable(KeyValue item) {
        try {
            return Optional.of(KillOrder.fromJson(Json.parseObject(item.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }

    private interface Last {
        RunState of(String jobId, Written run);
    }

    private void release(List<String> jobIds, Last last) {
        Map<String, Written> released = new LinkedHashMap<>();
        for (String jobId : jobIds) {
            Written run = runs.get(jobId);
            if (run != null) {
                released.put(jobId, new Written(run.epoch, run.revision, last.of(jobId, run)));
            }
        }
        released.keySet().forEach(log::ended);
        write(released, true);
    }

    /** Writes states, each under the compares that make it harmless when it is late. */
    private void write(Map<String, Written> states, boolean released) {
        List<Op> nested = new ArrayList<>();
        states.forEach((jobId, written) -> nested.add(new Op.Nested(transaction(jobId, written, released))));
        if (nested.isEmpty()) {
            return;
        }
        loop.when(
                store.txn(Txn.of(nested)),
                result -> written(states, released, result),
                failure -> later(() -> write(states, released)));
    }

    private Txn transaction(String jobId, Written written, boolean released) {
        String assignment = keys.assignment(id(), jobId);
        List<Op> writes = new ArrayList<>();
        writes.add(Op.put(keys.state(jobId), written.state.toPayload()));
        if (released) {
            writes.add(Op.delete(assignment));
            writes.add(Op.delete(keys.killer(id(), jobId)));
        }
        return new Txn(
                List.of(
                        Compare.created(assignment, written.epoch),
                        Compare.unmodified(keys.state(jobId), written.revision)),
                writes);
    }

    private void written(Map<String, Written> states, boolean released, TxnResult result) {
        if (dead) {
            return;
        }
        int i = 0;
        for (Map.Entry<String, Written> entry : states.entrySet()) {
            String jobId = entry.getKey();
            Written written = entry.getValue();
            boolean applied = result.nested(i++).succeeded();
            if (released && !applied) {
                leaveOnly(jobId, written.epoch);
            } else if (released) {
                runs.remove(jobId);
            } else if (applied
                    && runs.put(jobId, new Written(written.epoch, result.revision(), written.state)) == null) {
                log.started(jobId, id(), written.epoch);
            }
        }
        if (!released) {
            // An order may have come while the report was under way.
            obey(List.copyOf(states.keySet()));
        }
    }

    /** Gives up an assignment whose state is somebody else's. */
    private void leaveOnly(String jobId, long epoch) {
        String assignment = keys.assignment(id(), jobId);
        Txn txn = new Txn(
                List.of(Compare.created(assignment, epoch)),
                List.of(Op.delete(assignment), Op.delete(keys.killer(id(), jobId))));
        loop.when(store.txn(txn), left -> runs.remove(jobId), failure -> later(() -> leaveOnly(jobId, epoch)));
    }

    private void later(Runnable task) {
        var unused = loop.schedule(RETRY_PAUSE, task);
    }

    private String jobOf(KeyValue assignment) {
        return ((Name.OfAssignment) keys.parse(assignment.key()).orElseThrow()).jobId();
    }
}
