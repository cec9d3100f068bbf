// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What can be told of a transaction without looking at the store: whether etcd would take it at all. */
public final class TxnLimits {
    /** About what the encoding of a compare or an operation adds to its bytes. */
    private static final int OVERHEAD_BYTES = 12;

    /** Why etcd refuses a transaction. */
    public enum Problem {
        TOO_MANY_OPERATIONS,
        NO_KEY,
        KEY_WRITTEN_TWICE
    }

    private TxnLimits() {}

    /**
     * Refuses what etcd would refuse.
     *
     * @throws HeadmastException.TooLarge if the transaction has too many operations or bytes
     * @throws HeadmastException.Invalid if it writes a key twice, or names no key
     */
    static void check(EtcdTxn txn) {
        problem(txn).ifPresent(problem -> {
            throw switch (problem) {
                case TOO_MANY_OPERATIONS ->
                    new HeadmastException.TooLarge(
                            "the transaction has more than " + KeyValueStore.MAX_TXN_OPS + " operations");
                case NO_KEY -> new HeadmastException.Invalid("key", "must not be empty");
                case KEY_WRITTEN_TWICE -> new HeadmastException.Invalid("", "the transaction writes a key twice");
            };
        });
        if (bytes(txn) > KeyValueStore.MAX_REQUEST_BYTES) {
            throw new HeadmastException.TooLarge(
                    "the transaction exceeds " + KeyValueStore.MAX_REQUEST_BYTES + " bytes");
        }
    }

    /** The first reason to refuse a transaction, if there is one; its size is another matter. */
    public static Optional<Problem> problem(EtcdTxn txn) {
        Optional<Problem> found = count(txn, KeyValueStore.MAX_TXN_OPS);
        if (found.isPresent()) {
            return found;
        }
        boolean once = Footprint.of(txn.success()).isPresent()
                && Footprint.of(txn.failure()).isPresent();
        return once ? Optional.empty() : Optional.of(Problem.KEY_WRITTEN_TWICE);
    }

    /** As etcd counts: the longest list of a level takes from the budget, nested transactions share what remains. */
    private static Optional<Problem> count(EtcdTxn txn, int budget) {
        int longest = Math.max(
                txn.compares().size(),
                Math.max(txn.success().size(), txn.failure().size()));
        if (longest > budget) {
            return Optional.of(Problem.TOO_MANY_OPERATIONS);
        }
        if (txn.compares().stream().anyMatch(compare -> isNone(compare.range()))) {
            return Optional.of(Problem.NO_KEY);
        }
        return countAll(txn.success(), budget - longest).or(() -> countAll(txn.failure(), budget - longest));
    }

    private static Optional<Problem> countAll(List<EtcdOp> ops, int budget) {
        for (EtcdOp op : ops) {
            if (op instanceof EtcdOp.Put put && put.key().isEmpty()) {
                return Optional.of(Problem.NO_KEY);
            }
            if (op instanceof EtcdOp.Nested nested) {
                Optional<Problem> found = count(nested.txn(), budget);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Whether it is the range of the empty key, which doesn't exist. */
    private static boolean isNone(KeyRange range) {
        return range.from().isEmpty() && range.isKey();
    }

    private static long bytes(EtcdTxn txn) {
        long sum = 0;
        for (EtcdCompare compare : txn.compares()) {
            sum += OVERHEAD_BYTES + compare.range().from().length();
            if (compare.target() instanceof EtcdCompare.Target.Value value) {
                sum += value.value().size();
            }
        }
        return sum + bytes(txn.success()) + bytes(txn.failure());
    }

    private static long bytes(List<EtcdOp> ops) {
        long sum = 0;
        for (EtcdOp op : ops) {
            sum += OVERHEAD_BYTES;
            if (op instanceof EtcdOp.Put put) {
                sum += put.key().length()
                        + put.value().map(value -> value.size()).orElse(0);
            } else if (op instanceof EtcdOp.Delete delete) {
                sum += bytes(delete.range());
            } else if (op instanceof EtcdOp.Get get) {
                sum += bytes(get.range());
            } else if (op instanceof EtcdOp.Nested nested) {
                sum += bytes(nested.txn());
            }
        }
        return sum;
    }

    private static long bytes(KeyRange range) {
        return (long) range.from().length() + range.to().length();
    }

    /**
     * The keys that some operations may write. Nothing may be put twice, nor be put and deleted; but for a put in one
     * nested transaction that a later one deletes, which etcd takes.
     */
    private static final class Footprint {
        private final TreeSet<String> puts = new TreeSet<>();
        private final TreeSet<String> deletedKeys = new TreeSet<>();
        private final List<KeyRange> deletedRanges = new ArrayList<>();

        /** Empty if they write a key twice. */
        static Optional<Footprint> of(List<EtcdOp> ops) {
            var all = new Footprint();
            for (EtcdOp op : ops) {
                if (op instanceof EtcdOp.Delete delete) {
                    all.delete(delete.range());
                }
            }
            for (EtcdOp op : ops) {
                if (op instanceof EtcdOp.Nested nested && !all.join(nested.txn())) {
                    return Optional.empty();
                }
            }
            for (EtcdOp op : ops) {
                if (op instanceof EtcdOp.Put put && (all.deletes(put.key()) || !all.puts.add(put.key()))) {
                    return Optional.empty();
                }
            }
            return Optional.of(all);
        }

        private void delete(KeyRange range) {
            if (range.isKey()) {
                deletedKeys.add(range.from());
            } else {
                deletedRanges.add(range);
            }
        }

        /** Adds what either branch of a nested transaction may write: only one of them runs, so they may meet. */
        private boolean join(EtcdTxn txn) {
            Optional<Footprint> success = of(txn.success());
            Optional<Footprint> failure = of(txn.failure());
            if (success.isEmpty() || failure.isEmpty()) {
                return false;
            }
            var written = new TreeSet<>(success.get().puts);
            written.addAll(failure.get().puts);
            if (written.stream().anyMatch(key -> puts.contains(key) || deletes(key))) {
                return false;
            }
            puts.addAll(written);
            for (Footprint branch : List.of(success.get(), failure.get())) {
                deletedKeys.addAll(branch.deletedKeys);
                deletedRanges.addAll(branch.deletedRanges);
            }
            return true;
        }

        private boolean deletes(String key) {
            return deletedKeys.contains(key) || deletedRanges.stream().anyMatch(range -> range.contains(key));
        }
    }
}
