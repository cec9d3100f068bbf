// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.RunState;
import io.headmast.api.json.Json;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What the store held at one revision, read as headmast's. It changes with {@link #apply}. */
final class StoreView {
    private final Keys keys;
    private final TreeMap<String, KeyValue> items = new TreeMap<>();

    StoreView(Keys keys) {
        this.keys = keys;
    }

    /** An assignment: a job's place on a worker. */
    record Placed(String worker, KeyValue item) {
        long epoch() {
            return item.createRevision();
        }
    }

    /** A stored state and the revision it was written at. */
    record Stated(RunState state, long revision) {
        /** The placement it speaks of: a state that was written with its placement doesn't name it, it is its revision. */
        long epoch() {
            return state.epoch() == 0 ? revision : state.epoch();
        }

        boolean names(Placed placed) {
            return state.worker().equals(Optional.of(placed.worker())) && epoch() == placed.epoch();
        }
    }

    void apply(Revision revision) {
        for (WatchEvent change : revision.changes()) {
            if (change instanceof WatchEvent.Put put) {
                items.put(put.key(), put.current());
            } else {
                items.remove(change.key());
            }
        }
    }

    Keys keys() {
        return keys;
    }

    List<KeyValue> items() {
        return List.copyOf(items.values());
    }

    Optional<KeyValue> get(String key) {
        return Optional.ofNullable(items.get(key));
    }

    List<KeyValue> under(String prefix) {
        List<KeyValue> found = new ArrayList<>();
        for (KeyValue item : items.tailMap(prefix, true).values()) {
            if (!item.key().startsWith(prefix)) {
                break;
            }
            found.add(item);
        }
        return found;
    }

    List<String> jobs() {
        return under(keys.jobs()).stream()
                .map(item -> item.key().substring(keys.jobs().length()))
                .toList();
    }

    Optional<Job> job(String jobId) {
        return get(keys.job(jobId)).map(item -> Job.unmarshalBinary(item.value().toByteArray()));
    }

    /** Empty also for one that can't be read. */
    Optional<Stated> state(String jobId) {
        return get(keys.state(jobId)).flatMap(item -> {
            try {
                return Optional.of(new Stated(
                        RunState.fromJson(Json.parseObject(item.value().toByteArray())), item.modRevision()));
            } catch (HeadmastException.Invalid e) {
                return Optional.empty();
            }
        });
    }

    List<Placed> placements(String jobId) {
        List<Placed> placements = new ArrayList<>();
        for (KeyValue item : items.tailMap(keys.workers(), true).values()) {
            if (!item.key().startsWith(keys.workers())) {
                break;
            }
            if (!item.key().endsWith("/" + jobId)) {
                continue;
            }
            keys.parse(item.key())
                    .filter(name -> name instanceof Keys.Name.OfAssignment of
                            && of.jobId().equals(jobId))
                    .ifPresent(name -> placements.add(new Placed(((Keys.Name.OfAssignment) name).workerId(), item)));
        }
        return placements;
    }
}
