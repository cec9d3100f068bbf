// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import java.util.List;
import java.util.Optional;

/**
 * What happened to the store at one revision.
 *
 * @param sent the transaction that did it; empty when a lease's end did
 */
public record Commit(long revision, Optional<Sent> sent, List<Change> changes) {
    public Commit {
        changes = List.copyOf(changes);
    }

    /** What became of one key. */
    public record Change(Keys.Name name, String key, Optional<KeyValue> before, Optional<KeyValue> after) {
        public boolean isCreation() {
            return before.isEmpty() && after.isPresent();
        }

        public boolean isDeletion() {
            return before.isPresent() && after.isEmpty();
        }
    }
}
