// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;

/**
 * A condition of a transaction with everything that etcd's API has: on a range of keys it must hold for each; where there
 * is no key it is judged by zeros, and does not hold if it asks for a value.
 */
public record EtcdCompare(KeyRange range, Relation relation, Target target) {
    /** How what a key has must relate to what the target says. */
    public enum Relation {
        EQUAL,
        GREATER,
        LESS,
        NOT_EQUAL
    }

    /** What of a key is compared, and with what. */
    public sealed interface Target {
        record Version(long version) implements Target {}

        record CreateRevision(long revision) implements Target {}

        record ModRevision(long revision) implements Target {}

        record LeaseId(long lease) implements Target {}

        record Value(Payload value) implements Target {}
    }
}
