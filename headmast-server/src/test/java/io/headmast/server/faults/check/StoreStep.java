// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One revision of the store, with what it held before and after.
 *
 * @param before as of the revision before; both views go on with the next step
 */
record StoreStep(Revision revision, StoreView before, StoreView after) {
    long number() {
        return revision.number();
    }

    Keys keys() {
        return before.keys();
    }

    List<WatchEvent> changes() {
        return revision.changes();
    }

    /** The keys that were put, and are not ones that were there already. */
    List<KeyValue> created() {
        return puts().stream().filter(item -> item.createRevision() == number()).toList();
    }

    List<KeyValue> puts() {
        return changes().stream()
                .filter(WatchEvent.Put.class::isInstance)
                .map(change -> ((WatchEvent.Put) change).current())
                .toList();
    }

    boolean deletes(String key) {
        return changes().stream()
                .anyMatch(change ->
                        change instanceof WatchEvent.Delete && change.key().equals(key));
    }

    Optional<Keys.Name> name(String key) {
        return keys().parse(key);
    }

    /** The jobs that something of changed. */
    Set<String> jobs() {
        Set<String> jobs = new TreeSet<>();
        for (WatchEvent change : changes()) {
            name(change.key()).ifPresent(name -> {
                if (name instanceof Keys.Name.OfJob of) {
                    jobs.add(of.jobId());
                } else if (name instanceof Keys.Name.OfState of) {
                    jobs.add(of.jobId());
                } else if (name instanceof Keys.Name.OfAssignment of) {
                    jobs.add(of.jobId());
                } else if (name instanceof Keys.Name.OfKiller of) {
                    jobs.add(of.jobId());
                }
            });
        }
        return jobs;
    }
}
