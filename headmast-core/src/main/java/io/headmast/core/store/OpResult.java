// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.List;

/** What one operation of a transaction did. */
public sealed interface OpResult {
    /** A put was applied. */
    record Written() implements OpResult {}

    /** A delete was applied to that many keys. */
    record Deleted(long count) implements OpResult {}

    /** A get found these keys. */
    record Got(List<KeyValue> items) implements OpResult {
        public Got {
            items = List.copyOf(items);
        }
    }

    /** A nested transaction was evaluated; its {@code revision} is the outer one's. */
    record NestedDone(TxnResult result) implements OpResult {}
}
