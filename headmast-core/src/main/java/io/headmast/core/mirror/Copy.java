// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The entries of a mirror: each change of them gives the differences that it made. It belongs to the mirror's loop. */
final class Copy<V> {
    private final Projection<V> projection;
    private final NavigableMap<String, Entry<V>> entries = new TreeMap<>();

    Copy(Projection<V> projection) {
        this.projection = projection;
    }

    NavigableMap<String, Entry<V>> entries() {
        return Collections.unmodifiableNavigableMap(entries);
    }

    /** Adds to a listing under way only what is kept of a value: records may be large. */
    void stage(KeyValue item, Map<String, Entry<V>> listing) {
        Entry<V> known = entries.get(item.key());
        if (known != null && known.modRevision() == item.modRevision()) {
            listing.put(item.key(), known);
        } else {
            project(item).ifPresent(entry -> listing.put(item.key(), entry));
        }
    }

    /** Makes it equal to a listing; whatever was known and isn't listed is gone. */
    List<Difference<V>> replaceAll(Map<String, Entry<V>> listing) {
        List<Difference<V>> differences = new ArrayList<>();
        NavigableMap<String, Entry<V>> gone = new TreeMap<>(entries);
        listing.forEach((key, entry) -> {
            Entry<V> before = gone.remove(key);
            if (before == null || before.modRevision() != entry.modRevision()) {
                put(key, entry, differences);
            }
        });
        gone.keySet().forEach(key -> delete(key, differences));
        return differences;
    }

    void apply(WatchEvent event, List<Difference<V>> differences) {
        if (event instanceof WatchEvent.Put put) {
            project(put.current())
                    .ifPresentOrElse(
                            entry -> put(event.key(), entry, differences), () -> delete(event.key(), differences));
        } else {
            delete(event.key(), differences);
        }
    }

    private Optional<Entry<V>> project(KeyValue item) {
        return projection
                .project(item)
                .map(value -> new Entry<>(value, item.createRevision(), item.modRevision(), item.lease()));
    }

    private void put(String key, Entry<V> after, List<Difference<V>> differences) {
        Entry<V> before = entries.put(key, after);
        differences.add(new Difference<>(key, Optional.ofNullable(before), Optional.of(after)));
    }

    private void delete(String key, List<Difference<V>> differences) {
        Entry<V> before = entries.remove(key);
        if (before != null) {
            differences.add(new Difference<>(key, Optional.of(before), Optional.empty()));
        }
    }
}
