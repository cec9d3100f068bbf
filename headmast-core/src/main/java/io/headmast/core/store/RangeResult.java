// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.List;
import java.util.Optional;

/**
 * What a range held.
 *
 * @param revision the store's revision when the read was answered (also when it read an older one)
 * @param items the keys found, ascending
 * @param more whether the limit left keys out
 */
public record RangeResult(long revision, List<KeyValue> items, boolean more) {
    public RangeResult {
        items = List.copyOf(items);
    }

    public Optional<KeyValue> first() {
        return items.isEmpty() ? Optional.empty() : Optional.of(items.get(0));
    }
}
