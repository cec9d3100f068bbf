// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every version of one key that is not compacted yet, ascending by revision. */
final class KeyHistory {
    /** What a put or a deletion (a null value) made of the key. */
    private record Version(long revision, @Nullable KeyValue value) {}

    private final List<Version> versions = new ArrayList<>(1);

    /** The key as it is now; null when it does not exist. */
    @Nullable
    KeyValue latest() {
        return versions.isEmpty() ? null : versions.get(versions.size() - 1).value();
    }

    /** The key as it was at {@code revision}; null when it did not exist. */
    @Nullable
    KeyValue at(long revision) {
        int index = indexAt(revision);
        return index < 0 ? null : versions.get(index).value();
    }

    void put(KeyValue value) {
        versions.add(new Version(value.modRevision(), value));
    }

    void delete(long revision) {
        versions.add(new Version(revision, null));
    }

    /**
     * Forgets what no read at {@code revision} or later can see: all versions before the one in force at that revision,
     * and that one too if it is a deletion.
     *
     * @return the revisions of what was forgotten
     */
    List<Long> compact(long revision) {
        int inForce = indexAt(revision);
        if (inForce < 0) {
            return List.of();
        }
        boolean deleted = versions.get(inForce).value() == null;
        List<Version> forgotten = versions.subList(0, deleted ? inForce + 1 : inForce);
        List<Long> revisions = forgotten.stream().map(Version::revision).toList();
        forgotten.clear();
        return revisions;
    }

    /** Whether nothing is known of the key. */
    boolean isEmpty() {
        return versions.isEmpty();
    }

    /** The index of the version in force at {@code revision}, or -1. Versions are few: the newest is tried first. */
    private int indexAt(long revision) {
        int index = versions.size() - 1;
        while (index >= 0 && versions.get(index).revision() > revision) {
            index--;
        }
        return index;
    }
}
