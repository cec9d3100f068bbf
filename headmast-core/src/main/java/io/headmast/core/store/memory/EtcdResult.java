// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyValue;
import java.util.List;
import java.util.Optional;

/** What an operation of a transaction did. The revisions are those that etcd puts in the answer's own header. */
public sealed interface EtcdResult {
    /** A put was applied; {@code before} is what the key was. */
    record Written(long revision, Optional<KeyValue> before) implements EtcdResult {}

    /** A delete was applied to these keys. */
    record Deleted(long revision, List<KeyValue> before) implements EtcdResult {
        public Deleted {
            before = List.copyOf(before);
        }
    }

    /**
     * A get found these keys.
     *
     * @param items as many as the limit let through, ascending
     * @param count how many there are
     */
    record Got(long revision, List<KeyValue> items, long count) implements EtcdResult {
        public Got {
            items = List.copyOf(items);
        }
    }

    /** A nested transaction took one of its branches. */
    record Branched(boolean succeeded, List<EtcdResult> results) implements EtcdResult {
        public Branched {
            results = List.copyOf(results);
        }
    }

    /**
     * What the whole transaction did.
     *
     * @param revision the store's afterwards
     */
    record Transaction(long revision, boolean succeeded, List<EtcdResult> results) {
        public Transaction {
            results = List.copyOf(results);
        }
    }
}
