// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.List;

/**
 * A transaction: if all {@code compares} hold then the operations {@code success}, otherwise {@code failure}. Everything
 * it writes gets one revision.
 */
public record Txn(List<Compare> compares, List<Op> success, List<Op> failure) {
    public Txn {
        compares = List.copyOf(compares);
        success = List.copyOf(success);
        failure = List.copyOf(failure);
    }

    public Txn(List<Compare> compares, List<Op> success) {
        this(compares, success, List.of());
    }

    /** The operations without any condition. */
    public static Txn of(List<Op> operations) {
        return new Txn(List.of(), operations, List.of());
    }
}
