// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.StoreContract;
import io.headmast.core.store.Txn;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.RecordingListener;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class MvccStoreTest extends StoreContract {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final int MAX_STEPS = 300;

    private final VirtualLoop loop = new VirtualLoop();
    private final MvccStore store = new MvccStore(loop);

    @Override
    public KeyValueStore store() {
        return store;
    }

    @Override
    public <T> T get(CompletableFuture<T> future) {
        loop.runUntilIdle();
        return Await.value(future, Duration.ZERO);
    }

    @Override
    public void eventually(String what, BooleanSupplier condition) {
        loop.runUntilIdle();
        for (int step = 0; !condition.getAsBoolean(); step++) {
            assertTrue(step < MAX_STEPS, what);
            loop.advance(STEP);
        }
    }

    @Test
    void emptyStoreIsAtRevisionOne() {
        assertEquals(1, revision());
        assertEquals(2, put("a", ""));
    }

    @Test
    void leaseLapsesExactlyWhenItsTimeIsOver() {
        Lease lease = grant(5);
        commit(Op.put(key("a"), Payload.empty(), lease.id()));
        loop.advance(Duration.ofSeconds(5).minusNanos(1));
        assertEquals(Duration.ofNanos(1), get(store.timeToLive(lease.id())));
        assertEquals(List.of("a"), names());
        loop.advance(Duration.ofNanos(1));
        assertEquals(List.of(), names());
    }

    @Test
    void leaseIsDeadAtItsDeadlineForWhoeverComesFirst() {
        Lease lease = grant(5);
        // Sent before the timer of the lease, and due at the same time.
        var renewals = new CompletableFuture<?>[1];
        loop.schedule(Duration.ofSeconds(5), () -> renewals[0] = store.keepAlive(lease.id()));
        loop.advance(Duration.ofSeconds(5));
        assertFails(LeaseNotFoundException.class, renewals[0]);
    }

    @Test
    void leasesLapseInTheOrderOfTheirDeadlines() {
        Lease late = grant(9);
        Lease early = grant(3);
        Lease middle = grant(6);
        for (Lease lease : List.of(late, early, middle)) {
            commit(Op.put(key("of" + lease.ttl().toSeconds()), Payload.empty(), lease.id()));
        }
        var listener = new RecordingListener();
        watch(revision() + 1, listener);
        loop.advance(Duration.ofSeconds(10));
        assertEquals(
                List.of(key("of3"), key("of6"), key("of9")),
                listener.events().stream().map(WatchEvent::key).toList());
        assertEquals(3, listener.batches().size());
    }

    @Test
    void listenersAreCalledByTheLoopOnly() {
        var listener = new RecordingListener();
        watch(1, listener);
        CompletableFuture<?> write = store.txn(Txn.of(List.of(Op.put(key("a"), Payload.empty()))));
        assertFalse(write.isDone());
        assertEquals(List.of(), listener.events());
        loop.runUntilIdle();
        assertTrue(write.isDone());
        assertEquals(1, listener.events().size());
    }

    @Test
    void nothingFollowsTheCloseOfAWatchNotEvenWhatIsUnderWay() {
        put("a", "");
        var listener = new RecordingListener();
        Watch watch = watch(1, listener);
        watch.requestProgress();
        watch.close();
        loop.runUntilIdle();
        assertEquals(List.of(), listener.events());
        assertEquals(0, listener.progressCalls());
    }

    /** etcd may do so; here it always happens, so that whoever relies on it is found out. */
    @Test
    void deletionAtTheCompactRevisionIsLost() {
        put("gone", "");
        long deleted = commit(Op.delete(key("gone"))).revision();
        get(store.compact(deleted));
        put("b", "");
        var listener = new RecordingListener();
        watch(deleted, listener);
        loop.runUntilIdle();
        assertEquals(
                List.of(key("b")),
                listener.events().stream().map(WatchEvent::key).toList());
    }

    @Test
    void closedStoreRefusesAndIsSilent() {
        var listener = new RecordingListener();
        watch(1, listener);
        put("a", "");
        loop.runUntilIdle();
        store.close();
        assertFails(HeadmastException.Unavailable.class, store.range(RangeRequest.of(KeyRange.prefix(prefix()))));
        assertEquals(List.of(), listener.broken());
        assertEquals(1, listener.events().size());
    }

    @Test
    void sameOperationsGiveTheSameStore() {
        assertEquals(life(), life());
    }

    /** A busy history, as one string. */
    private static String life() {
        var loop = new VirtualLoop();
        var store = new MvccStore(loop);
        var listener = new RecordingListener();
        store.watch(new WatchRequest(new KeyRange("", ""), 1), listener);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            calls.add(store.grantLease(Duration.ofSeconds(2 + i % 7))
                    .thenCompose(lease -> store.txn(Txn.of(List.of(
                            Op.put("k" + number % 11, Payload.of("v" + number), lease.id()),
                            Op.delete("k" + (number + 5) % 11))))));
            loop.advance(Duration.ofMillis(321));
        }
        loop.advance(Duration.ofSeconds(20));
        assertTrue(calls.stream().noneMatch(CompletableFuture::isCompletedExceptionally));
        return listener.batches().toString();
    }
}
