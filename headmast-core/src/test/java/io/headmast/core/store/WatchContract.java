// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.testing.RecordingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Watches: nothing left out, nothing split, an end that is told. */
public interface WatchContract extends StoreSubject {
    @Test
    default void watchSeesWhatHappens() {
        var listener = new RecordingListener();
        Watch watch = watch(revision() + 1, listener);
        long put = put("a", "1");
        long again = put("a", "2");
        long deleted = commit(Op.delete(key("a"))).revision();
        eventually("three events", () -> listener.events().size() == 3);
        assertEquals(
                List.of(
                        new WatchEvent.Put(new KeyValue(key("a"), Payload.of("1"), put, put, 1, 0)),
                        new WatchEvent.Put(new KeyValue(key("a"), Payload.of("2"), put, again, 2, 0)),
                        new WatchEvent.Delete(key("a"), deleted)),
                listener.events());
        watch.close();
    }

    @Test
    default void eventsTellTheLease() {
        Lease lease = grant(60);
        var listener = new RecordingListener();
        Watch watch = watch(revision() + 1, listener);
        commit(Op.put(key("a"), Payload.of("1"), lease.id()));
        eventually("one event", () -> listener.events().size() == 1);
        var put = assertInstanceOf(WatchEvent.Put.class, listener.events().get(0));
        assertEquals(lease.id(), put.current().lease());
        watch.close();
    }

    @Test
    default void revisionComesInOneBatchInOrder() {
        List.of("x", "y", "z").forEach(name -> put(name, ""));
        var listener = new RecordingListener();
        Watch watch = watch(revision() + 1, listener);
        long revision = commit(
                        Op.put(key("b"), Payload.empty()),
                        new Op.Delete(KeyRange.prefix(key("x"))),
                        new Op.Nested(Txn.of(List.of(Op.put(key("a"), Payload.empty()), Op.delete(key("z"))))),
                        Op.delete(key("y")))
                .revision();
        eventually("the batch", () -> !listener.batches().isEmpty());
        List<WatchEvent> batch = listener.batches().get(0);
        assertEquals(
                List.of("b", "x", "a", "z", "y"),
                batch.stream()
                        .map(event -> event.key().substring(prefix().length()))
                        .toList());
        assertTrue(batch.stream().allMatch(event -> event.revision() == revision));
        watch.close();
    }

    @Test
    default void watchSeesOnlyItsRange() {
        var listener = new RecordingListener();
        long from = revision() + 1;
        Watch watch = store().watch(new WatchRequest(KeyRange.prefix(key("a/")), from), listener);
        commit(
                Op.put(key("a"), Payload.empty()),
                Op.put(key("a/1"), Payload.empty()),
                Op.put(key("a0"), Payload.empty()));
        put("b", "");
        put("a/2", "");
        eventually("two events", () -> listener.events().size() >= 2);
        assertEquals(
                List.of(key("a/1"), key("a/2")),
                listener.events().stream().map(WatchEvent::key).toList());
        watch.close();
    }

    @Test
    default void watchFromThePastMissesNothing() {
        long first = put("k", "0");
        for (int i = 1; i < 50; i++) {
            put("k", Integer.toString(i));
        }
        var listener = new RecordingListener();
        Watch watch = watch(first + 10, listener);
        put("k", "50");
        eventually("every event from there", () -> listener.events().size() >= 41);
        assertEquals(
                LongStream.rangeClosed(first + 10, first + 50).boxed().toList(),
                listener.events().stream().map(WatchEvent::revision).toList());
        watch.close();
    }

    @Test
    default void watchFromTheFutureSeesNothingBefore() {
        var listener = new RecordingListener();
        long from = revision() + 3;
        Watch watch = watch(from, listener);
        List<Long> revisions = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            revisions.add(put("k", Integer.toString(i)));
        }
        eventually("the events from there", () -> listener.events().size() >= 3);
        assertEquals(
                revisions.subList(2, 5),
                listener.events().stream().map(WatchEvent::revision).toList());
        watch.close();
    }

    @Test
    default void watchesDoNotDisturbEachOther() {
        var one = new RecordingListener();
        var two = new RecordingListener();
        long from = revision() + 1;
        Watch first = watch(from, one);
        Watch second = watch(from, two);
        put("a", "1");
        eventually("both see it", () -> one.events().size() == 1 && two.events().size() == 1);
        first.close();
        put("a", "2");
        eventually("the other goes on", () -> two.events().size() == 2);
        assertEquals(1, one.events().size());
        assertEquals(List.of(), one.broken());
        second.close();
        second.close();
        second.requestProgress();
    }

    @Test
    default void watchBelowTheCompactRevisionBreaks() {
        long first = put("a", "1");
        put("a", "2");
        long third = put("a", "3");
        get(store().compact(third));
        var listener = new RecordingListener();
        Watch watch = watch(first, listener);
        eventually("the watch breaks", () -> !listener.broken().isEmpty());
        var cause = assertInstanceOf(CompactedException.class, listener.broken().get(0));
        assertEquals(third, cause.compactRevision());
        assertEquals(List.of(), listener.events());
        watch.close();
    }

    /** A deletion at the compaction revision may or may not still be told to those who watch from there. */
    @Test
    default void watchFromTheCompactRevisionSeesItsPuts() {
        put("gone", "");
        long revision = commit(Op.put(key("a"), Payload.of("1")), Op.delete(key("gone")))
                .revision();
        get(store().compact(revision));
        put("b", "2");
        var listener = new RecordingListener();
        Watch watch = watch(revision, listener);
        eventually(
                "the later event",
                () -> listener.events().stream().anyMatch(event -> event.key().equals(key("b"))));
        assertEquals(
                List.of(key("a"), key("b")),
                listener.events().stream()
                        .filter(WatchEvent.Put.class::isInstance)
                        .map(WatchEvent::key)
                        .toList());
        watch.close();
    }

    @Test
    default void compactionLeavesAWatchThatHasKeptUpAlone() {
        var listener = new RecordingListener();
        Watch watch = watch(revision() + 1, listener);
        put("a", "1");
        long second = put("a", "2");
        eventually("both events", () -> listener.events().size() == 2);
        get(store().compact(second));
        put("a", "3");
        eventually("the next event", () -> listener.events().size() == 3);
        assertEquals(List.of(), listener.broken());
        watch.close();
    }

    @Test
    default void progressIsToldOnRequestAndNeverAheadOfEvents() {
        long first = put("k", "0");
        for (int i = 1; i < 20; i++) {
            put("k", Integer.toString(i));
        }
        var listener = new RecordingListener();
        Watch watch = watch(first, listener);
        // Early, while the past is still being delivered, and again until it is told that the past is over.
        eventually("progress up to the last event", () -> {
            watch.requestProgress();
            return listener.progress().orElse(0) >= first + 19;
        });
        assertEquals(20, listener.events().size());
        watch.close();
    }

    @Test
    default void watchBeginsAtARevision() {
        KeyRange range = KeyRange.prefix(prefix());
        assertThrows(IllegalArgumentException.class, () -> new WatchRequest(range, 0));
    }
}
