// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** What can be told of a transaction without looking at the store: whether etcd would take it at all. */
final class TxnLimits {
    /** About what the encoding of a compare or an operation adds to its bytes. */
    private static final int OVERHEAD_BYTES = 12;

    private TxnLimits() {}

    /**
     * Refuses what etcd would refuse.
     *
     * @throws HeadmastException.TooLarge if the transaction has too many operations or bytes
     * @throws HeadmastException.Invalid if it writes a key twice, or names no key
     */
    static void check(Txn txn) {
        checkCount(txn, KeyValueStore.MAX_TXN_OPS);
        if (bytes(txn) > KeyValueStore.MAX_REQUEST_BYTES) {
            throw new HeadmastException.TooLarge(
                    "the transaction exceeds " + KeyValueStore.MAX_REQUEST_BYTES + " bytes");
        }
        footprint(txn.success());
        footprint(txn.failure());
    }

    /** As etcd counts: the longest list of a level takes from the budget, nested transactions share what remains. */
    private static void checkCount(Txn txn, int budget) {
        int longest = Math.max(
                txn.compares().size(),
                Math.max(txn.success().size(), txn.failure().size()));
        if (longest > budget) {
            throw new HeadmastException.TooLarge(
                    "the transaction has more than " + KeyValueStore.MAX_TXN_OPS + " operations");
        }
        txn.compares().forEach(compare -> requireKey(compare.key()));
        txn.success().forEach(op -> checkOp(op, budget - longest));
        txn.failure().forEach(op -> checkOp(op, budget - longest));
    }

    private static void checkOp(Op op, int budget) {
        if (op instanceof Op.Put put) {
            requireKey(put.key());
        } else if (op instanceof Op.Nested nested) {
            checkCount(nested.txn(), budget);
        }
    }

    private static void requireKey(String key) {
        if (key.isEmpty()) {
            throw new HeadmastException.Invalid("key", "must not be empty");
        }
    }

    private static long bytes(Txn txn) {
        long sum = 0;
        for (Compare compare : txn.compares()) {
            sum += OVERHEAD_BYTES + compare.key().length();
            if (compare instanceof Compare.Value value) {
                sum += value.value().size();
            }
        }
        return sum + bytes(txn.success()) + bytes(txn.failure());
    }

    private static long bytes(List<Op> ops) {
        long sum = 0;
        for (Op op : ops) {
            sum += OVERHEAD_BYTES;
            if (op instanceof Op.Put put) {
                sum += put.key().length() + put.value().size();
            } else if (op instanceof Op.Delete delete) {
                sum += delete.range().from().length() + delete.range().to().length();
            } else if (op instanceof Op.Get get) {
                sum += get.range().from().length() + get.range().to().length();
            } else if (op instanceof Op.Nested nested) {
                sum += bytes(nested.txn());
            }
        }
        return sum;
    }

    /** The keys that some operations may write. */
    private static final class Footprint {
        private final TreeSet<String> puts = new TreeSet<>();
        private final TreeSet<String> deletedKeys = new TreeSet<>();
        private final Set<KeyRange> deletedRanges = new HashSet<>();

        static Footprint of(Op op) {
            var made = new Footprint();
            if (op instanceof Op.Put put) {
                made.puts.add(put.key());
            } else if (op instanceof Op.Delete delete && delete.range().isKey()) {
                made.deletedKeys.add(delete.range().from());
            } else if (op instanceof Op.Delete delete) {
                made.deletedRanges.add(delete.range());
            } else if (op instanceof Op.Nested nested) {
                // Only one of the two branches runs, so they may write the same keys.
                made.join(footprint(nested.txn().success()));
                made.join(footprint(nested.txn().failure()));
            }
            return made;
        }

        /** Joins what is written besides; nothing may be put twice, nor be put and deleted. */
        void add(Footprint other) {
            if (meet(puts, other.puts) || other.deletesAny(puts) || deletesAny(other.puts)) {
                throw new HeadmastException.Invalid("", "the transaction writes a key twice");
            }
            join(other);
        }

        private void join(Footprint other) {
            puts.addAll(other.puts);
            deletedKeys.addAll(other.deletedKeys);
            deletedRanges.addAll(other.deletedRanges);
        }

        private static boolean meet(Set<String> one, Set<String> other) {
            return one.size() < other.size()
                    ? one.stream().anyMatch(other::contains)
                    : other.stream().anyMatch(one::contains);
        }

        private boolean deletesAny(NavigableSet<String> keys) {
            return meet(keys, deletedKeys)
                    || deletedRanges.stream().anyMatch(range -> {
                        String first = keys.ceiling(range.from());
                        return first != null && range.contains(first);
                    });
        }
    }

    /**
     * Adds up what a branch may write.
     *
     * <p>Stricter than etcd in one point: etcd takes a put in one nested transaction followed by a deletion of the same key
     * in a later one, though not the other way round. The port forbids both.
     */
    private static Footprint footprint(List<Op> ops) {
        var all = new Footprint();
        ops.forEach(op -> all.add(Footprint.of(op)));
        return all;
    }
}
