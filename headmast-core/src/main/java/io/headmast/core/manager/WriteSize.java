// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a transaction takes of another that it shares.
 *
 * @param bytes what it adds to the request, rather too many than too few
 * @param keys the keys that it may put
 */
record WriteSize(long bytes, List<String> keys) {
    /** About what the encoding adds to a compare, an operation, and the transaction itself. */
    private static final int OVERHEAD_BYTES = 32;

    WriteSize {
        keys = List.copyOf(keys);
    }

    static WriteSize of(Txn txn) {
        long bytes = OVERHEAD_BYTES;
        for (Compare compare : txn.compares()) {
            bytes += OVERHEAD_BYTES + compare.key().length();
        }
        for (List<Op> branch : List.of(txn.success(), txn.failure())) {
            for (Op op : branch) {
                bytes += OVERHEAD_BYTES + bytes(op);
            }
        }
        return new WriteSize(
                bytes,
                Stream.concat(txn.success().stream(), txn.failure().stream())
                        .filter(Op.Put.class::isInstance)
                        .map(op -> ((Op.Put) op).key())
                        .distinct()
                        .toList());
    }

    private static long bytes(Op op) {
        if (op instanceof Op.Put put) {
            return (long) put.key().length() + put.value().size();
        } else if (op instanceof Op.Get get) {
            return (long) get.range().from().length() + get.range().to().length();
        } else if (op instanceof Op.Delete delete) {
            return (long) delete.range().from().length() + delete.range().to().length();
        }
        throw new IllegalStateException("only plain operations are shared, not " + op);
    }
}
