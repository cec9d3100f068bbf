// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: small transactions of many callers share those of the store, nested, each with compares and an outcome
 * of its own. One that comes while less than {@value #MAX_IN_FLIGHT} are in flight goes at once; those that come
 * meanwhile make the next one together.
 *
 * <p>Futures complete as those of {@link KeyValueStore#txn}, with the revision of the transaction that was shared. What
 * the store refuses as a whole for what one of them holds is sent again in halves, so that one never fails the others.
 *
 * <p>Thread-safe. At most {@value #MAX_WAITING} wait, or {@value #MAX_WAITING_BYTES} bytes of them; beyond that they fail
 * with {@code Unavailable}.
 */
final class SharedTxns {
    /** With {@value #MAX_NESTED_OPS} compares or operations inside each, the store's limit. */
    static final int MAX_SHARED = 120;

    static final int MAX_NESTED_OPS = KeyValueStore.MAX_TXN_OPS - MAX_SHARED;
    static final int MAX_IN_FLIGHT = 4;
    static final int MAX_WAITING = 20_000;
    static final long MAX_WAITING_BYTES = 128 << 20;

    /** How far the queue is searched for something to send while what stands before has to wait for its key. */
    private static final int MAX_LOOKED_AT = 4 * MAX_SHARED;

    /** The store's limit, with room for what the encoding adds to a request as a whole. */
    private static final int MAX_BYTES = KeyValueStore.MAX_REQUEST_BYTES - 1024;

    private final KeyValueStore store;
    private final IntSupplier mostNow;

    // Guarded by this.
    private final Deque<Waiting> queue = new ArrayDeque<>();
    private final Set<String> keysInFlight = new HashSet<>();
    private long queuedBytes;
    private int inFlight;
    private boolean pumping;

    private record Waiting(Txn txn, WriteSize size, CompletableFuture<TxnResult> answer) {}

    SharedTxns(KeyValueStore store) {
        this(store, () -> MAX_SHARED);
    }

    /** @param mostNow how many may share the next transaction, 1 to {@value #MAX_SHARED} */
    SharedTxns(KeyValueStore store, IntSupplier mostNow) {
        this.store = store;
        this.mostNow = mostNow;
    }

    /**
     * Sends a transaction; callbacks of its future run on the store's threads.
     *
     * @param txn has no nested ones, and at most {@value #MAX_NESTED_OPS} compares and operations in each branch
     */
    CompletableFuture<TxnResult> txn(Txn txn) {
        Waiting waiting = new Waiting(txn, WriteSize.of(txn), new CompletableFuture<>());
        if (!enqueue(waiting)) {
            return CompletableFuture.failedFuture(new HeadmastException.Unavailable(
                    "the server has more changes waiting for the store than it takes; try again"));
        }
        pump();
        return waiting.answer();
    }

    private synchronized boolean enqueue(Waiting waiting) {
        if (queue.size() >= MAX_WAITING || queuedBytes + waiting.size().bytes() > MAX_WAITING_BYTES) {
            return false;
        }
        queuedBytes += waiting.size().bytes();
        queue.add(waiting);
        return true;
    }

    /** One thread at a time sends; what the store answers at once therefore doesn't nest, however much is waiting. */
    private void pump() {
        if (!mayPump()) {
            return;
        }
        for (List<Waiting> group = nextGroup(); !group.isEmpty(); group = nextGroup()) {
            send(group);
        }
    }

    private synchronized boolean mayPump() {
        boolean may = !pumping;
        pumping = true;
        return may;
    }

    /** Takes what goes together into the next transaction; nothing, and an end of pumping, if none may be sent now. */
    private synchronized List<Waiting> nextGroup() {
        List<Waiting> group = inFlight < MAX_IN_FLIGHT ? takeGroup() : List.of();
        if (group.isEmpty()) {
            pumping = false;
        } else {
            inFlight++;
        }
        return group;
    }

    private List<Waiting> takeGroup() {
        List<Waiting> group = new ArrayList<>();
        int most = mostNow.getAsInt();
        long bytes = 0;
        int looked = 0;
        for (Iterator<Waiting> all = queue.iterator();
                all.hasNext() && group.size() < most && looked < MAX_LOOKED_AT;
                looked++) {
            Waiting next = all.next();
            if (isHeldBack(next)) {
                continue;
            }
            bytes += next.size().bytes();
            if (bytes > MAX_BYTES && !group.isEmpty()) {
                break;
            }
            all.remove();
            queuedBytes -= next.size().bytes();
            keysInFlight.addAll(next.size().keys());
            group.add(next);
        }
        return group;
    }

    /** A transaction must not write a key twice, and of two that do the one that came first is to be first. */
    private boolean isHeldBack(Waiting next) {
        for (String key : next.size().keys()) {
            if (keysInFlight.contains(key)) {
                return true;
            }
        }
        return false;
    }

    private void send(List<Waiting> group) {
        var unused = sent(shared(group)).whenComplete((result, failure) -> {
            if (failure == null) {
                answered(group, result);
            } else {
                failed(group, causeOf(failure));
            }
        });
    }

    /** One that goes alone costs what it would have cost anyway. */
    private static Txn shared(List<Waiting> group) {
        if (group.size() == 1) {
            return group.get(0).txn();
        }
        List<Op> nested = new ArrayList<>(group.size());
        group.forEach(waiting -> nested.add(new Op.Nested(waiting.txn())));
        return Txn.of(nested);
    }

    private CompletableFuture<TxnResult> sent(Txn txn) {
        try {
            return store.txn(txn);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void answered(List<Waiting> group, TxnResult result) {
        release(group);
        for (int i = 0; i < group.size(); i++) {
            group.get(i).answer().complete(group.size() == 1 ? result : result.nested(i));
        }
        done();
    }

    private void failed(List<Waiting> group, Throwable failure) {
        if (group.size() > 1 && mayBeTheFaultOfOne(failure)) {
            synchronized (this) {
                inFlight++;
            }
            send(group.subList(0, group.size() / 2));
            send(group.subList(group.size() / 2, group.size()));
            return;
        }
        release(group);
        group.forEach(waiting -> waiting.answer().completeExceptionally(failure));
        done();
    }

    /** Nothing was applied, and it isn't the store as a whole that has no time, no space or no doubt. */
    private static boolean mayBeTheFaultOfOne(Throwable failure) {
        return !(failure instanceof HeadmastException.Unavailable
                || failure instanceof HeadmastException.Indeterminate
                || failure instanceof HeadmastException.StorageFull
                || failure instanceof HeadmastException.Unauthorized);
    }

    private synchronized void release(Collection<Waiting> group) {
        group.forEach(waiting -> keysInFlight.removeAll(waiting.size().keys()));
    }

    /** Only now, when the callers have been told: what they send next goes together, too. */
    private void done() {
        synchronized (this) {
            inFlight--;
        }
        pump();
    }

    static Throwable causeOf(Throwable failure) {
        @Nullable Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
