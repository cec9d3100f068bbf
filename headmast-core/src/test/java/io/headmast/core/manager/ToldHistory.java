// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Assignment;
import io.headmast.api.ChangeReason;
import io.headmast.api.Cordon;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobChange;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.api.Keys.Name;
import io.headmast.api.KillOrder;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import io.headmast.api.json.Json;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.plan.Known;
import io.headmast.core.plan.Observer;
import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What a feed has to tell, worked out from nothing but listings of the store as of each revision, two next to each other
 * at a time.
 */
final class ToldHistory {
    private final Keys keys;
    private final LongFunction<List<KeyValue>> listing;
    private final Map<Long, Moment> moments = new HashMap<>();

    /** @param listing everything under the prefix as of a revision */
    ToldHistory(Keys keys, LongFunction<List<KeyValue>> listing) {
        this.keys = keys;
        this.listing = listing;
    }

    /** A change as a watch tells it. */
    record Told(long revision, JobChange change) {}

    /** Everything as of a revision. */
    private record Moment(Map<String, KeyValue> items, Observer observer) {}

    /** What there is to tell of the revisions after one, up to another. */
    List<Told> told(JobPath path, long after, long upTo) {
        List<Told> told = new ArrayList<>();
        Moment before = at(after);
        for (long revision = after + 1; revision <= upTo; revision++) {
            Moment now = at(revision);
            changes(path, before.items, now, revision, told);
            before = now;
        }
        return told;
    }

    private Moment at(long revision) {
        return moments.computeIfAbsent(revision, unknown -> {
            Map<String, KeyValue> items = new LinkedHashMap<>();
            listing.apply(revision).forEach(item -> items.put(item.key(), item));
            return new Moment(items, new Observer(state(items)));
        });
    }

    private void changes(JobPath path, Map<String, KeyValue> before, Moment moment, long revision, List<Told> told) {
        Map<String, KeyValue> now = moment.items;
        TreeSet<String> touched = new TreeSet<>();
        now.forEach((key, item) -> {
            if (item.modRevision() == revision) {
                jobOf(key).ifPresent(touched::add);
            }
        });
        before.keySet().stream()
                .filter(key -> !now.containsKey(key))
                .forEach(key -> jobOf(key).ifPresent(touched::add));
        Observer observer = moment.observer;
        for (String id : touched) {
            Optional<JobView> was = view(before.get(keys.job(id)), observer, path);
            Optional<JobView> is = view(now.get(keys.job(id)), observer, path);
            if (is.isPresent()) {
                ChangeReason reason = was.isPresent() ? ChangeReason.UPDATED : ChangeReason.ADDED;
                told.add(new Told(revision, new JobChange(reason, is.get())));
            } else {
                was.ifPresent(view -> told.add(new Told(revision, new JobChange(ChangeReason.DELETED, view))));
            }
        }
    }

    private static Optional<JobView> view(KeyValue record, Observer observer, JobPath path) {
        return record == null
                ? Optional.empty()
                : read(record, Job::fromJson)
                        .filter(path::matches)
                        .map(job -> new JobView(job, record.modRevision(), observer.observe(job)));
    }

    private Optional<String> jobOf(String key) {
        Name name = keys.parse(key).orElseThrow();
        if (name instanceof Name.OfJob of) {
            return Optional.of(of.jobId());
        } else if (name instanceof Name.OfState of) {
            return Optional.of(of.jobId());
        } else if (name instanceof Name.OfAssignment of) {
            return Optional.of(of.jobId());
        } else if (name instanceof Name.OfKiller of) {
            return Optional.of(of.jobId());
        }
        return Optional.empty();
    }

    private ClusterState state(Map<String, KeyValue> items) {
        ClusterState state = new ClusterState();
        for (KeyValue item : items.values()) {
            Name name = keys.parse(item.key()).orElseThrow();
            if (name instanceof Name.OfJob of) {
                state.job(of.jobId(), known(item, Job::fromJson));
            } else if (name instanceof Name.OfState of) {
                state.state(of.jobId(), known(item, RunState::fromJson));
            } else if (name instanceof Name.OfWorker of) {
                state.worker(of.workerId(), known(item, Worker::fromJson));
            } else if (name instanceof Name.OfAssignment of) {
                state.assignment(of.workerId(), of.jobId(), known(item, Assignment::fromJson));
            } else if (name instanceof Name.OfKiller of) {
                state.killer(of.workerId(), of.jobId(), known(item, KillOrder::fromJson));
            } else if (name instanceof Name.OfCordon of) {
                state.cordon(of.workerId(), known(item, Cordon::fromJson));
            }
        }
        return state;
    }

    private static <T> Optional<Known<T>> known(KeyValue item, Function<com.google.gson.JsonObject, T> reader) {
        return Optional.of(new Known<>(read(item, reader), item.createRevision(), item.modRevision(), item.lease()));
    }

    private static <T> Optional<T> read(KeyValue item, Function<com.google.gson.JsonObject, T> reader) {
        try {
            return Optional.of(reader.apply(Json.parseObject(item.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
