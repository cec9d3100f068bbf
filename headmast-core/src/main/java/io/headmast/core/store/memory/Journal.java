// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.WatchEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/**
 * Where an engine writes what it must not forget. The engine goes ahead in memory; what it did is told to nobody before
 * the journal has it safe.
 */
public interface Journal {
    /** Something that the engine did, and that is either remembered whole or not at all. */
    sealed interface Entry {
        /** A revision with its events, in order; a lease that ended with it, or 0. */
        record Committed(long revision, List<WatchEvent> events, long endedLease) implements Entry {
            public Committed {
                events = List.copyOf(events);
            }
        }

        /** A lease was granted. */
        record Granted(long id, Duration ttl) implements Entry {}

        /**
         * History was compacted.
         *
         * @param forgotten by revision, the keys whose events at that revision nobody can ask for any more
         */
        record Compacted(long revision, NavigableMap<Long, Set<String>> forgotten) implements Entry {}
    }

    /**
     * What a journal remembers of an earlier engine.
     *
     * @param revision the last one
     * @param compacted the last compaction's, 0 if there was none
     * @param events what of the history is left, by revision
     */
    record Memory(
            long revision, long compacted, NavigableMap<Long, List<WatchEvent>> events, Map<Long, Duration> leases) {}

    /** Takes an entry; called by the engine's loop, in order. Never blocks. */
    void append(Entry entry);

    /**
     * Runs a task once all that was appended before this call is safe; at once if it is. Tasks run one at a time, in
     * order. They don't run any more when the journal has failed: then its owner ends the engine.
     */
    void whenSafe(Runnable task);

    /** Remembers nothing. */
    Journal NONE = new Journal() {
        @Override
        public void append(Entry entry) {
            // Nothing is kept.
        }

        @Override
        public void whenSafe(Runnable task) {
            task.run();
        }
    };
}
