// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.memory.MvccStore;
import java.time.Duration;

/** A store in this process, on a thread of its own, that all of a cluster connect to. */
final class InMemoryStore implements AutoCloseable {
    private final ThreadLoop loop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(loop);

    /** A connection that can be closed without closing the store. */
    CountingStore connect() {
        return connect(Duration.ZERO);
    }

    CountingStore connect(Duration latency) {
        return new CountingStore(store, false, latency);
    }

    @Override
    public void close() {
        store.close();
        loop.close();
    }
}
