// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import java.util.Optional;

/** How one key changed between two revisions that the mirror stood at. Both sides absent never happens. */
public record Difference<V>(String key, Optional<Entry<V>> before, Optional<Entry<V>> after) {
    /** What the key holds, or held last when it is gone. */
    public V latest() {
        return after.or(() -> before).orElseThrow().value();
    }
}
