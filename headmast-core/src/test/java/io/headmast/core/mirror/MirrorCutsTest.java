// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import io.headmast.core.testing.EtcdServer;
import io.headmast.core.testing.Http2Frame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A mirror on a real etcd whose connection is cut while it catches up: at every boundary between the frames that the
 * server sends, and at random offsets. It loses no event wherever that is.
 */
final class MirrorCutsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int EVENTS = 50;
    private static final int RANDOM_CUTS = 200;

    private final CuttingProxy proxy = CuttingProxy.to(EtcdServer.shared());
    private final JetcdStore writer =
            new JetcdStore(JetcdOptions.of(EtcdServer.shared().endpoint()));
    private final ThreadLoop loop = new ThreadLoop("mirror-cuts");
    private KeyRange range = KeyRange.prefix("unused");

    @BeforeEach
    void awaitEtcd() {
        Await.value(writer.ping(), LIMIT);
    }

    @AfterEach
    void close() {
        loop.close();
        writer.close();
        proxy.close();
    }

    @Test
    void cutAtAnyFrameBoundaryLosesNoEvent() {
        catchUpCutAfter(Long.MAX_VALUE);
        Set<Long> boundaries = new TreeSet<>();
        for (Http2Frame frame : proxy.framesOfLast()) {
            boundaries.add(frame.end());
        }
        assertTrue(boundaries.size() > 5, boundaries::toString);
        boundaries.forEach(this::catchUpCutAfter);
    }

    @Test
    void cutAtRandomOffsetsLosesNoEvent() {
        catchUpCutAfter(Long.MAX_VALUE);
        List<Http2Frame> frames = proxy.framesOfLast();
        long all = frames.get(frames.size() - 1).end();
        var random = new Random(42);
        for (int i = 0; i < RANDOM_CUTS; i++) {
            catchUpCutAfter(1 + random.nextLong(all));
        }
    }

    /** Lists, falls behind by the history below, and catches up, while the first connection ends after so many bytes. */
    private void catchUpCutAfter(long offset) {
        range = KeyRange.prefix("mirror-cuts/" + UUID.randomUUID() + "/");
        proxy.cutNextAfter(offset);
        var replica = new Replica();
        var failure = new AtomicReference<Throwable>();
        try (JetcdStore store = new JetcdStore(JetcdOptions.of(proxy.endpoint()))) {
            Mirror<String> mirror = new Mirror<>(
                    new MirrorSource(store, range, loop),
                    Replica.projection(),
                    MirrorOptions.standard(new Random(1)),
                    guarded(replica, failure));
            loop.execute(mirror::start);
            Await.until("the first listing", LIMIT, () -> onLoop(() -> replica.moves) > 0);
            proxy.hold(CuttingProxy.Direction.DOWN);
            List<Long> revisions = writeHistory();
            proxy.release();
            long last = Collections.max(revisions);
            Await.until("the end of the history", LIMIT, () -> onLoop(() -> replica.revision) >= last);
            loop.execute(mirror::close);
            RangeResult listed = Await.value(writer.range(RangeRequest.of(range)), LIMIT);
            String outcome = onLoop(() -> {
                replica.assertEquals(listed);
                return String.valueOf(failure.get());
            });
            assertEquals("null", outcome, "cut after " + offset);
            for (int i = 0; i < EVENTS; i += 2) {
                assertEquals(List.of(revisions.get(i)), replica.revisionsOf(key(i)), "cut after " + offset);
            }
        }
    }

    /** Fifty keys, of which every other one goes again; tells the revisions, which need not ascend. */
    private List<Long> writeHistory() {
        List<Op> puts = new ArrayList<>();
        List<Op> deletes = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            puts.add(Op.put(key(i), Payload.of("value " + i)));
            if (i % 2 == 1) {
                deletes.add(Op.delete(key(i)));
            }
        }
        List<Long> revisions = new ArrayList<>(write(puts));
        revisions.addAll(write(deletes));
        return revisions;
    }

    private List<Long> write(List<Op> ops) {
        return ops.stream().map(this::write).toList().stream()
                .map(write -> Await.value(write, LIMIT))
                .toList();
    }

    private CompletableFuture<Long> write(Op op) {
        return writer.txn(Txn.of(List.of(op))).thenApply(result -> result.revision());
    }

    private String key(int number) {
        return range.from() + String.format("k%02d", number);
    }

    private static MirrorListener<String> guarded(Replica replica, AtomicReference<Throwable> failure) {
        return (revision, differences) -> {
            try {
                replica.moved(revision, differences);
            } catch (AssertionError e) {
                failure.compareAndSet(null, e);
            }
        };
    }

    private <T> T onLoop(Supplier<T> look) {
        return Await.value(CompletableFuture.supplyAsync(look, loop), LIMIT);
    }
}
