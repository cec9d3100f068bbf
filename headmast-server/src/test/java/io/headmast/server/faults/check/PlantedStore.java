// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.Server;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A history of a store, written by hand: changes gather until {@link #commit} gives them their revision. The first is 2.
 */
final class PlantedStore {
    static final Keys KEYS = new Keys("/t");

    /** The leases of the workers and servers that {@link #worker} and {@link #leader} put. */
    static final Map<String, Long> LEASES = Map.of("w1", 0x11L, "w2", 0x12L, "s1", 0x21L, "s2", 0x22L);

    private final List<Revision> history = new ArrayList<>();
    private final Map<String, KeyValue> items = new TreeMap<>();
    private final List<WatchEvent> pending = new ArrayList<>();

    /** A store with a leader s1, the workers w1 and w2, and the job a. */
    static PlantedStore ready() {
        return new PlantedStore()
                .leader("s1")
                .commit()
                .worker("w1")
                .commit()
                .worker("w2")
                .commit()
                .job("a", JobStatus.CREATED)
                .commit();
    }

    long next() {
        return history.size() + 2L;
    }

    PlantedStore put(String key, Payload value, long lease) {
        KeyValue before = items.get(key);
        KeyValue item = new KeyValue(
                key,
                value,
                before == null ? next() : before.createRevision(),
                next(),
                before == null ? 1 : before.version() + 1,
                lease);
        items.put(key, item);
        pending.add(new WatchEvent.Put(item));
        return this;
    }

    PlantedStore delete(String... keys) {
        for (String key : keys) {
            items.remove(key);
            pending.add(new WatchEvent.Delete(key, next()));
        }
        return this;
    }

    PlantedStore commit() {
        history.add(new Revision(next(), pending));
        pending.clear();
        return this;
    }

    PlantedStore job(String id, JobStatus status) {
        return job(Job.builder().id(id).status(status).build());
    }

    PlantedStore job(Job job) {
        return put(KEYS.job(job.id()), Payload.wrap(job.marshalBinary()), 0);
    }

    PlantedStore worker(String id) {
        return put(KEYS.worker(id), Payload.of("{}"), LEASES.get(id));
    }

    PlantedStore leader(String server) {
        Server value = new Server(server, "i", "", Instant.EPOCH);
        Payload payload = Json.toPayload(value.toJson());
        return put(KEYS.server(server), payload, LEASES.get(server)).put(KEYS.leader(), payload, LEASES.get(server));
    }

    PlantedStore assign(String worker, String job) {
        return assign(worker, job, LEASES.get(worker));
    }

    PlantedStore assign(String worker, String job, long lease) {
        Payload value = Json.toPayload(new Assignment(TargetState.LAUNCHED).toJson());
        return put(KEYS.assignment(worker, job), value, lease);
    }

    /** Places a job as the leader does. */
    PlantedStore place(String worker, String job) {
        return assign(worker, job).state(job, Phase.SCHEDULED, worker, 0).commit();
    }

    PlantedStore order(String worker, String job, long epoch) {
        KillOrder order = new KillOrder(epoch, Phase.KILLED, "killed");
        return put(KEYS.killer(worker, job), Json.toPayload(order.toJson()), LEASES.get(worker));
    }

    PlantedStore state(String job, Phase phase, String worker, long epoch) {
        RunState state = RunState.unplaced(phase, 1, 0, Instant.EPOCH, "").withWorker(Optional.of(worker), epoch);
        return put(KEYS.state(job), state.toPayload(), 0);
    }

    Evidence evidence() {
        return evidence(List.of(), List.of(), List.of());
    }

    Evidence evidence(List<Operation> operations, List<Evidence.Run> runs, List<Evidence.Standstill> standstills) {
        return new Evidence(KEYS, operations, history, new ArrayList<>(items.values()), runs, standstills, List.of());
    }

    Evidence withCommits(Evidence.Commit... commits) {
        return new Evidence(
                KEYS, List.of(), history, new ArrayList<>(items.values()), List.of(), List.of(), List.of(commits));
    }
}
