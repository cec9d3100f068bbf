// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/** A running watch. Both methods may be called from any thread and return at once. */
public interface Watch extends AutoCloseable {
    /**
     * Asks the store to confirm how far this watch has come; the answer, if any, is {@link WatchListener#onProgress}.
     * Silence tells that the connection is dead although nothing broke it.
     */
    void requestProgress();

    /** Ends the watch; a callback that is under way may still finish, then none follows. */
    @Override
    void close();
}
