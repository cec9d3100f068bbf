// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import java.util.List;

/** Receives what a watch of the engine sees; one call at a time. It must only hand over, neither block nor throw. */
public interface EtcdWatcher {
    /**
     * Changes happened.
     *
     * @param storeRevision where the store stands: that of the last change, or later while the past is delivered
     * @param changes at least one, by ascending revision; never part of a revision without the rest of it
     */
    void onChanges(long storeRevision, List<EtcdChange> changes);

    /** Every change up to {@code revision} has been delivered. */
    void onProgress(long revision);

    /** The history that was asked for is compacted away; nothing follows. */
    void onCompacted(long compactRevision);
}
