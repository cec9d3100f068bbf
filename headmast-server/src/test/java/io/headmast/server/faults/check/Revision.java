// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.core.store.WatchEvent;
import java.util.List;

/** Everything that changed in the store at one revision. */
public record Revision(long number, List<WatchEvent> changes) {
    public Revision {
        changes = List.copyOf(changes);
    }
}
