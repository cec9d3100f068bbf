// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.testing.RecordingListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Leases: how keys come to live and die with them. */
public interface LeaseContract extends StoreSubject {
    /** More than a message of gRPC's default limit can tell of. */
    int MANY_KEYS = 20_000;

    int WRITES_AT_ONCE = 16;

    /** Seconds that a lease lives which must not lapse while other tests look at revisions. */
    int LONG = 3600;

    @Test
    default void grantedTtlIsNeverShorterThanAsked() {
        Lease shortest = get(store().grantLease(Duration.ofMillis(100)));
        assertTrue(shortest.ttl().compareTo(Duration.ofSeconds(2)) >= 0, shortest::toString);
        Lease fraction = get(store().grantLease(Duration.ofMillis(7500)));
        assertEquals(Duration.ofSeconds(8), fraction.ttl());
        assertEquals(Duration.ofSeconds(60), grant(60).ttl());
        assertNotEquals(shortest.id(), fraction.id());
    }

    @Test
    default void revokedLeaseTakesItsKeysAtOneRevision() {
        Lease lease = grant(LONG);
        long other = grant(LONG).id();
        commit(
                Op.put(key("b"), Payload.empty(), lease.id()),
                Op.put(key("a"), Payload.empty(), lease.id()),
                Op.put(key("c"), Payload.empty(), other),
                Op.put(key("d"), Payload.empty()));
        assertEquals(lease.id(), read("a").orElseThrow().lease());
        long before = revision();
        get(store().revokeLease(lease.id()));
        assertEquals(List.of("c", "d"), names());
        assertEquals(before + 1, revision());
    }

    @Test
    default void revokingALeaseThatIsGoneSucceeds() {
        Lease lease = grant(LONG);
        long before = revision();
        get(store().revokeLease(lease.id()));
        get(store().revokeLease(lease.id()));
        assertEquals(before, revision());
    }

    @Test
    default void lapsedLeaseTakesItsKeysAtOneRevision() {
        Lease lease = grant(2);
        long written = commit(
                        Op.put(key("a"), Payload.empty(), lease.id()), Op.put(key("b"), Payload.empty(), lease.id()))
                .revision();
        var listener = new RecordingListener();
        Watch watch = watch(written + 1, listener);
        eventually("the keys go", () -> !listener.batches().isEmpty());
        assertEquals(List.of(key("a"), key("b")), keysOf(listener.batches().get(0)));
        assertEquals(List.of(), names());
        assertFails(LeaseNotFoundException.class, store().keepAlive(lease.id()));
        assertFails(LeaseNotFoundException.class, store().timeToLive(lease.id()));
        watch.close();
    }

    @Test
    default void keepAliveProlongs() {
        Lease kept = grant(2);
        Lease lapsing = grant(2);
        commit(Op.put(key("kept"), Payload.empty(), kept.id()), Op.put(key("lapsing"), Payload.empty(), lapsing.id()));
        eventually("the lease that is not kept lapses", () -> {
            assertEquals(kept, get(store().keepAlive(kept.id())));
            return names().equals(List.of("kept"));
        });
        get(store().revokeLease(kept.id()));
    }

    @Test
    default void timeToLiveCountsDown() {
        Lease lease = grant(60);
        Duration left = get(store().timeToLive(lease.id()));
        assertTrue(left.compareTo(Duration.ofSeconds(60)) <= 0, left::toString);
        assertTrue(left.compareTo(Duration.ofSeconds(30)) > 0, left::toString);
    }

    @Test
    default void deadLeaseIsKnownAsDead() {
        Lease lease = grant(LONG);
        get(store().revokeLease(lease.id()));
        assertFails(LeaseNotFoundException.class, store().keepAlive(lease.id()));
        assertFails(LeaseNotFoundException.class, store().timeToLive(lease.id()));
    }

    @Test
    default void putWithoutLeaseDetaches() {
        Lease lease = grant(LONG);
        commit(Op.put(key("a"), Payload.of("1"), lease.id()), Op.put(key("b"), Payload.of("1"), lease.id()));
        put("a", "2");
        assertEquals(0, read("a").orElseThrow().lease());
        get(store().revokeLease(lease.id()));
        assertEquals(List.of("a"), names());
    }

    @Test
    default void putWithAnotherLeaseMovesTheKey() {
        Lease one = grant(LONG);
        Lease two = grant(LONG);
        commit(Op.put(key("a"), Payload.of("1"), one.id()));
        commit(Op.put(key("a"), Payload.of("2"), two.id()));
        get(store().revokeLease(one.id()));
        assertEquals(two.id(), read("a").orElseThrow().lease());
        get(store().revokeLease(two.id()));
        assertEquals(List.of(), names());
    }

    @Test
    default void keyCreatedAgainAfterItsDeletionBelongsToNoLease() {
        Lease lease = grant(LONG);
        commit(Op.put(key("a"), Payload.of("1"), lease.id()));
        commit(Op.delete(key("a")));
        put("a", "2");
        get(store().revokeLease(lease.id()));
        assertEquals(List.of("a"), names());
    }

    @Test
    default void deadLeaseFailsTheWholeTransaction() {
        Lease dead = grant(LONG);
        get(store().revokeLease(dead.id()));
        long before = revision();
        Op step = nested(Op.put(key("b"), Payload.empty(), dead.id()));
        assertRefused(LeaseNotFoundException.class, Op.put(key("a"), Payload.empty()), step);
        assertRefused(LeaseNotFoundException.class, Op.put(key("a"), Payload.empty()), nested(step));
        assertEquals(before, revision());
        assertEquals(List.of(), names());
    }

    @Test
    default void deadLeaseOfABranchThatIsNotTakenDoesNoHarm() {
        Lease dead = grant(LONG);
        get(store().revokeLease(dead.id()));
        Op put = Op.put(key("b"), Payload.empty(), dead.id());
        var untaken = new Op.Nested(new Txn(List.of(Compare.created(key("x"), 1)), List.of(put)));
        commit(Op.put(key("a"), Payload.empty()), untaken);
        assertEquals(List.of("a"), names());
    }

    @Test
    default void endOfALeaseWithManyKeysIsOneBatch() {
        Lease lease = grant(LONG);
        List<CompletableFuture<?>> writes = new ArrayList<>();
        String longName = "x".repeat(200);
        for (int from = 0; from < MANY_KEYS; from += KeyValueStore.MAX_TXN_OPS) {
            List<Op> puts = new ArrayList<>();
            for (int i = from; i < Math.min(MANY_KEYS, from + KeyValueStore.MAX_TXN_OPS); i++) {
                puts.add(Op.put(key(longName + i), Payload.of("value"), lease.id()));
            }
            writes.add(store().txn(Txn.of(puts)));
            // Not all at once: on a busy machine the last would wait beyond its time limit.
            if (writes.size() == WRITES_AT_ONCE) {
                writes.forEach(this::get);
                writes.clear();
            }
        }
        writes.forEach(this::get);
        var listener = new RecordingListener();
        Watch watch = watch(revision() + 1, listener);
        get(store().revokeLease(lease.id()));
        eventually("the batch comes", () -> !listener.batches().isEmpty());
        List<WatchEvent> batch = listener.batches().get(0);
        assertEquals(MANY_KEYS, batch.size());
        assertTrue(batch.stream().allMatch(WatchEvent.Delete.class::isInstance));
        assertEquals(batch.stream().map(WatchEvent::key).sorted().toList(), keysOf(batch));
        watch.close();
    }

    private static List<String> keysOf(List<WatchEvent> events) {
        return events.stream().map(WatchEvent::key).toList();
    }

    private static Op nested(Op op) {
        return new Op.Nested(Txn.of(List.of(op)));
    }
}
