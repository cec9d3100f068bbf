// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import io.headmast.api.Payload;

/** One operation of a transaction. A transaction must not write the same key twice. */
public sealed interface Op {
    /**
     * Writes a key.
     *
     * @param lease the lease the key goes away with, 0 for none. A put that names none detaches the key from the lease
     *     it had, so every put on a lease-bound key names its lease again.
     */
    record Put(String key, Payload value, long lease) implements Op {}

    /** Deletes every key of a range; deleting nothing is no change and takes no revision. */
    record Delete(KeyRange range) implements Op {}

    /**
     * Reads a range as of the transaction, after the operations before this one; or as of an older revision.
     *
     * @param revision the revision to read at, 0 for the latest. If it is compacted or in the future, the transaction
     *     fails as {@link KeyValueStore#range} does.
     */
    record Get(KeyRange range, long revision) implements Op {
        public Get(KeyRange range) {
            this(range, 0);
        }
    }

    /** A transaction inside the transaction: its compares see the store as of the outer transaction's start. */
    record Nested(Txn txn) implements Op {}

    static Op put(String key, Payload value) {
        return new Put(key, value, 0);
    }

    static Op put(String key, Payload value, long lease) {
        return new Put(key, value, lease);
    }

    static Op delete(String key) {
        return new Delete(KeyRange.key(key));
    }

    static Op get(String key) {
        return new Get(KeyRange.key(key));
    }

    static Op get(String key, long revision) {
        return new Get(KeyRange.key(key), revision);
    }
}
