// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.JobPath;
import java.util.concurrent.CompletableFuture;

/**
 * A watch that goes on. While it is open every change is told exactly once and in order, across restarts of servers and
 * of the store, broken connections and changes of server. It has a daemon thread of its own. Thread-safe.
 */
public final class JobWatch implements AutoCloseable {
    private final WatchLoop loop;

    JobWatch(WatchLoop loop) {
        this.loop = loop;
    }

    /** What is watched. */
    public JobPath path() {
        return loop.path();
    }

    /** Everything up to this revision was told. */
    public long revision() {
        return loop.revision();
    }

    /**
     * Completes after the handler's last call: normally when the watch was closed, with what {@link
     * WatchPathHandler#ended} gets otherwise.
     */
    public CompletableFuture<Void> whenEnded() {
        return loop.ended().copy();
    }

    /**
     * Ends the watch. Doesn't wait: the handler's call that is under way goes on, none begins after it. May be called by
     * the handler.
     */
    @Override
    public void close() {
        loop.close();
    }
}
