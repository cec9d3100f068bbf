// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.store.KeyValue;
import io.headmast.core.store.RangeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps a copy from nothing but the differences of a mirror, and checks each: that it follows from what was there, and
 * that revisions ascend.
 */
final class Replica implements MirrorListener<String> {
    /** Values that begin with this are passed over by {@link #projection()}. */
    static final String SKIPPED = "skip";

    final NavigableMap<String, Entry<String>> entries = new TreeMap<>();
    final List<Difference<String>> seen = new ArrayList<>();
    long revision;
    int moves;
    int passedOver;
    int troubles;

    static Projection<String> projection() {
        return item -> Optional.of(item.value().toText()).filter(text -> !text.startsWith(SKIPPED));
    }

    @Override
    public void moved(long to, List<Difference<String>> differences) {
        check(to >= revision, "from revision " + revision + " back to " + to);
        revision = to;
        moves++;
        for (Difference<String> difference : differences) {
            Optional<Entry<String>> before = Optional.ofNullable(entries.get(difference.key()));
            check(before.equals(difference.before()), difference + " does not follow from " + before);
            check(difference.before().isPresent() || difference.after().isPresent(), "no difference: " + difference);
            check(!difference.before().equals(difference.after()), "no difference: " + difference);
            difference
                    .after()
                    .ifPresentOrElse(
                            entry -> entries.put(difference.key(), entry), () -> entries.remove(difference.key()));
        }
        seen.addAll(differences);
    }

    @Override
    public void passedOver() {
        passedOver++;
    }

    @Override
    public void troubled(Throwable cause) {
        troubles++;
    }

    /** Fails unless the copy is what a listing at its revision shows. */
    void assertEquals(RangeResult listed) {
        TreeMap<String, Entry<String>> expected = new TreeMap<>();
        for (KeyValue item : listed.items()) {
            projection()
                    .project(item)
                    .ifPresent(value -> expected.put(
                            item.key(), new Entry<>(value, item.createRevision(), item.modRevision(), item.lease())));
        }
        check(expected.equals(entries), "at revision " + revision + " expected " + expected + " but was " + entries);
    }

    /** The modification revisions that were seen of a key. */
    List<Long> revisionsOf(String key) {
        return seen.stream()
                .filter(difference -> difference.key().equals(key))
                .flatMap(difference -> difference.after().stream())
                .map(Entry::modRevision)
                .toList();
    }

    private static void check(boolean holds, String problem) {
        if (!holds) {
            throw new AssertionError(problem);
        }
    }
}
