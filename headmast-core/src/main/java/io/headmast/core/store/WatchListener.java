// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.List;

/**
 * Receives what a watch sees. Called on a thread of the store, one call at a time: implementations must only hand over
 * to their owner and never block.
 */
public interface WatchListener {
    /**
     * Events happened.
     *
     * @param revision every event up to this revision has now been delivered
     * @param events at least one, by ascending revision; never part of a revision without the rest of it
     */
    void onEvents(long revision, List<WatchEvent> events);

    /**
     * The connection lives, and every event up to {@code revision} has been delivered. The revision may lie behind the
     * store's, also when nothing is left to deliver: some versions of etcd claim progress ahead of events that they have
     * yet to send, so it is not etcd's claim that counts but what has come.
     */
    void onProgress(long revision);

    /**
     * The watch ended by itself and may have lost events: list again. Called at most once, nothing follows it.
     *
     * @param cause {@link CompactedException} when its revision was compacted away
     */
    void onBroken(Throwable cause);
}
