// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import java.util.Optional;
import java.util.OptionalLong;

/** An operation of a transaction with everything that etcd's API has. */
public sealed interface EtcdOp {
    /**
     * Writes a key.
     *
     * @param value empty to keep the value there is; fails with {@link KeyMissingException} if there is none
     * @param lease empty to keep the lease the key has, which fails likewise; 0 for none
     */
    record Put(String key, Optional<Payload> value, OptionalLong lease) implements EtcdOp {}

    /** Deletes a range. */
    record Delete(KeyRange range) implements EtcdOp {}

    /**
     * Reads a range.
     *
     * @param revision to read at, 0 for the latest, with what the transaction did before
     * @param limit the most keys to return, 0 for all; they are counted beyond it
     */
    record Get(KeyRange range, long revision, long limit) implements EtcdOp {}

    /** A transaction inside the transaction. */
    record Nested(EtcdTxn txn) implements EtcdOp {}
}
