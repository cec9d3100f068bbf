// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.List;

/**
 * What a transaction did.
 *
 * @param succeeded whether its compares held
 * @param revision the store's revision afterwards: the one it wrote at, if it wrote
 * @param results one for each operation of the branch that was taken, in order
 */
public record TxnResult(boolean succeeded, long revision, List<OpResult> results) {
    public TxnResult {
        results = List.copyOf(results);
    }

    /** The keys that the {@code index}-th operation, a {@link Op.Get}, found. */
    public List<KeyValue> got(int index) {
        return ((OpResult.Got) results.get(index)).items();
    }

    /** What the {@code index}-th operation, a {@link Op.Nested}, did. */
    public TxnResult nested(int index) {
        return ((OpResult.NestedDone) results.get(index)).result();
    }
}
