// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys with their history: an index from each key to its versions, and a log from each revision to its events. A
 * store begins empty at revision 1, as etcd's does. Changes are made through {@link Change}, one at a time.
 */
final class Revisions {
    private final TreeMap<String, KeyHistory> keys = new TreeMap<>();
    private final TreeMap<Long, List<WatchEvent>> log = new TreeMap<>();
    private final boolean keepsDeletions;
    private long current = 1;
    private long compacted;

    /**
     * An empty store.
     *
     * @param keepsDeletions whether a deletion at the compaction revision itself can still be watched: newer versions of
     *     etcd let it, older ones may lose it
     */
    Revisions(boolean keepsDeletions) {
        this.keepsDeletions = keepsDeletions;
    }

    /** Takes over what a journal remembers; only an empty store does. */
    void restore(Journal.Memory memory) {
        memory.events().forEach((revision, events) -> {
            events.forEach(event -> restore(event, memory.compacted()));
            // In force since before the compaction: there, but not to be watched any more.
            if (revision >= memory.compacted()) {
                log.put(revision, events);
            }
        });
        current = memory.revision();
        compacted = memory.compacted();
    }

    private void restore(WatchEvent event, long compactedAt) {
        if (event instanceof WatchEvent.Put put) {
            keys.computeIfAbsent(event.key(), k -> new KeyHistory()).put(put.current());
        } else if (event.revision() > compactedAt) {
            keys.computeIfAbsent(event.key(), k -> new KeyHistory()).delete(event.revision());
        }
    }

    long current() {
        return current;
    }

    /** The oldest revision that can be read; 0 when nothing was compacted. */
    long compacted() {
        return compacted;
    }

    @Nullable
    KeyValue latest(String key) {
        KeyHistory history = keys.get(key);
        return history == null ? null : history.latest();
    }

    /** The first keys of a range, and how many there are. */
    record Found(List<KeyValue> items, long count) {}

    /**
     * The first keys of a range as of a revision, 0 for now; now is with the changes of a {@link Change} under way.
     *
     * @param limit the most keys to return, 0 for all
     */
    Found find(KeyRange range, long revision, long limit) {
        if (revision > 0) {
            requireReadable(revision);
        }
        List<KeyValue> items = new ArrayList<>();
        long count = 0;
        for (KeyHistory history : within(range).values()) {
            KeyValue item = revision > 0 ? history.at(revision) : history.latest();
            if (item != null) {
                count++;
                if (limit == 0 || items.size() < limit) {
                    items.add(item);
                }
            }
        }
        return new Found(items, count);
    }

    /** What an event's key was before it, as far as history tells; null when it did not exist. */
    @Nullable
    KeyValue before(WatchEvent event) {
        KeyHistory history = keys.get(event.key());
        long revision = event.revision() - 1;
        return history == null || revision < compacted ? null : history.at(revision);
    }

    /** The keys of a range as they are now, ascending: with the changes of a {@link Change} under way. */
    List<KeyValue> latest(KeyRange range) {
        List<KeyValue> found = new ArrayList<>();
        for (KeyHistory history : within(range).values()) {
            KeyValue item = history.latest();
            if (item != null) {
                found.add(item);
            }
        }
        return found;
    }

    /**
     * The first keys of a range as of a revision, ascending.
     *
     * @param limit the most keys to return, 0 for all
     */
    List<KeyValue> at(KeyRange range, long revision, long limit) {
        requireReadable(revision);
        List<KeyValue> found = new ArrayList<>();
        for (KeyHistory history : within(range).values()) {
            KeyValue item = history.at(revision);
            if (item != null) {
                found.add(item);
                if (found.size() == limit) {
                    break;
                }
            }
        }
        return found;
    }

    /** The events from {@code revision} on, revision by revision. */
    NavigableMap<Long, List<WatchEvent>> eventsFrom(long revision) {
        return Collections.unmodifiableNavigableMap(log.tailMap(revision, true));
    }

    /** Begins the change that gets the next revision; it must be finished before another begins. */
    Change begin() {
        return new Change();
    }

    /**
     * Forgets history: the effort is by the events that go, not by the keys that stay.
     *
     * @return by revision, the keys whose events at that revision are forgotten
     */
    NavigableMap<Long, Set<String>> compact(long revision) {
        if (revision <= compacted) {
            throw new CompactedException(compacted);
        }
        requireReadable(revision);
        NavigableMap<Long, Set<String>> forgotten = new TreeMap<>();
        for (List<WatchEvent> events : log.headMap(revision, true).values()) {
            events.forEach(event -> compactKey(event, revision, forgotten));
        }
        // At the compaction revision itself puts can still be watched, deletions not with every version of etcd.
        List<WatchEvent> last = log.get(revision);
        log.headMap(revision, true).clear();
        if (last != null) {
            log.put(
                    revision,
                    keepsDeletions
                            ? last
                            : last.stream()
                                    .filter(WatchEvent.Put.class::isInstance)
                                    .toList());
        }
        compacted = revision;
        return forgotten;
    }

    private void compactKey(WatchEvent event, long revision, NavigableMap<Long, Set<String>> forgotten) {
        String key = event.key();
        if (event instanceof WatchEvent.Delete && event.revision() < revision) {
            forgotten.computeIfAbsent(event.revision(), r -> new TreeSet<>()).add(key);
        }
        KeyHistory history = keys.get(key);
        if (history == null) {
            return;
        }
        for (long gone : history.compact(revision)) {
            if (gone < revision) {
                forgotten.computeIfAbsent(gone, r -> new TreeSet<>()).add(key);
            }
        }
        if (history.isEmpty()) {
            keys.remove(key);
        }
    }

    /** Fails for a revision that is compacted or in the future. */
    void requireReadable(long revision) {
        if (revision < compacted) {
            throw new CompactedException(compacted);
        }
        if (revision > current) {
            throw new HeadmastException.Invalid("revision", revision + " is in the future, the store is at " + current);
        }
    }

    private NavigableMap<String, KeyHistory> within(KeyRange range) {
        if (range.to().isEmpty()) {
            return keys.tailMap(range.from(), true);
        }
        if (range.from().compareTo(range.to()) >= 0) {
            return Collections.emptyNavigableMap();
        }
        return keys.subMap(range.from(), true, range.to(), false);
    }

    /** Writes that share one revision: the next one, which is taken only if something is written. */
    final class Change {
        private final long revision = current + 1;
        private final List<WatchEvent> events = new ArrayList<>();

        /** Writes a key and tells what it was before; null when it did not exist. */
        @Nullable
        KeyValue put(String key, Payload value, long lease) {
            KeyHistory history = keys.computeIfAbsent(key, k -> new KeyHistory());
            KeyValue before = history.latest();
            var item = before == null
                    ? new KeyValue(key, value, revision, revision, 1, lease)
                    : new KeyValue(key, value, before.createRevision(), revision, before.version() + 1, lease);
            history.put(item);
            events.add(new WatchEvent.Put(item));
            return before;
        }

        /** The revision as a read within the change sees it. */
        long seen() {
            return events.isEmpty() ? current : revision;
        }

        /** The revision that what is written gets. */
        long revision() {
            return revision;
        }

        /** Deletes the keys of a range and tells what they were. */
        List<KeyValue> delete(KeyRange range) {
            List<KeyValue> found = latest(range);
            for (KeyValue item : found) {
                KeyHistory history = keys.get(item.key());
                if (history == null) {
                    throw new IllegalStateException("no history of " + item.key());
                }
                history.delete(revision);
                events.add(new WatchEvent.Delete(item.key(), revision));
            }
            return found;
        }

        /** Ends the change and tells its events, in the order they were made; if there are none, no revision is taken. */
        List<WatchEvent> commit() {
            List<WatchEvent> made = List.copyOf(events);
            if (!made.isEmpty()) {
                current = revision;
                log.put(revision, made);
            }
            return made;
        }
    }
}
