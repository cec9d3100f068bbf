// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The events of a stretch of revisions without a gap. It holds so many at most, and forgets the oldest revisions when
 * there are more, but for the last one. Thread-safe.
 */
final class EventLog {
    private final int capacity;
    private final NavigableMap<Long, List<JobEvent>> revisions = new TreeMap<>();
    private int size;

    /** It holds all events after this revision. */
    private long from;

    /** It holds all events up to this revision. */
    private long upTo;

    /** A log that begins after a revision. */
    EventLog(int capacity, long from) {
        this.capacity = capacity;
        this.from = from;
        this.upTo = from;
    }

    /**
     * Events after a position.
     *
     * @param events whole revisions, ascending
     * @param upTo there are no others up to this revision
     */
    record Stretch(List<JobEvent> events, long upTo) {}

    /** Adds what happened at the next revisions up to that one; all events are of that one. */
    synchronized void append(long revision, List<JobEvent> events) {
        upTo = revision;
        if (!events.isEmpty()) {
            revisions.put(revision, events);
            size += events.size();
        }
        while (size > capacity && revisions.size() > 1) {
            Map.Entry<Long, List<JobEvent>> oldest = revisions.firstEntry();
            revisions.remove(oldest.getKey());
            size -= oldest.getValue().size();
            from = oldest.getKey();
        }
    }

    /** Forgets everything and begins after a revision. */
    synchronized void restart(long revision) {
        revisions.clear();
        size = 0;
        from = revision;
        upTo = revision;
    }

    /** It is known by now that nothing happened after {@code revision} and up to where the log begins. */
    synchronized void extendBackTo(long revision) {
        from = Math.min(from, revision);
    }

    synchronized long from() {
        return from;
    }

    synchronized long upTo() {
        return upTo;
    }

    synchronized int size() {
        return size;
    }

    /** Whether nothing between the position and the log is missing. */
    synchronized boolean covers(long position) {
        return from <= position;
    }

    /**
     * What comes after a position.
     *
     * @param enough it ends with the revision that makes so many events
     * @return empty if it isn't covered
     */
    synchronized Optional<Stretch> read(long position, int enough) {
        if (!covers(position)) {
            return Optional.empty();
        }
        List<JobEvent> found = new ArrayList<>();
        for (Map.Entry<Long, List<JobEvent>> entry :
                revisions.tailMap(position, false).entrySet()) {
            found.addAll(entry.getValue());
            if (found.size() >= enough) {
                return Optional.of(new Stretch(found, entry.getKey()));
            }
        }
        return Optional.of(new Stretch(found, Math.max(position, upTo)));
    }
}
