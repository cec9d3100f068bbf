// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.PausableLoop;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** A mirror of a store in memory, over a way that fails on demand, and a replica that checks it. */
abstract class MirrorCase {
    static final String PREFIX = "/p/";

    final VirtualLoop time = new VirtualLoop();
    final PausableLoop loop = new PausableLoop(time);
    final MvccStore store = new MvccStore(time);
    final FaultyStore way = new FaultyStore(store, time);
    final Replica replica = new Replica();
    final Mirror<String> mirror = new Mirror<>(
            new MirrorSource(way, KeyRange.prefix(PREFIX), loop),
            Replica.projection(),
            MirrorOptions.standard(new Random(7)),
            replica);

    final long put(String key, String value) {
        return commit(Op.put(PREFIX + key, Payload.of(value)));
    }

    final long delete(String key) {
        return commit(Op.delete(PREFIX + key));
    }

    final long commit(Op... operations) {
        var done = store.txn(Txn.of(List.of(operations)));
        time.runUntilIdle();
        return Await.value(done, Duration.ZERO).revision();
    }

    final void start() {
        mirror.start();
        settle();
    }

    final void settle() {
        time.advance(Duration.ofMillis(50));
    }

    final void assertExact() {
        var listed = store.range(new RangeRequest(KeyRange.prefix(PREFIX), 0, replica.revision));
        time.runUntilIdle();
        replica.assertEquals(Await.value(listed, Duration.ZERO));
        assertEquals(replica.entries, mirror.entries());
        assertEquals(replica.revision, mirror.revision());
    }
}
