// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import io.headmast.api.Payload;

/** One condition of a transaction, on one key. */
public sealed interface Compare {
    String key();

    /** Holds if the key's create revision equals {@code revision}; 0 means that the key is absent. */
    record CreateRevision(String key, long revision) implements Compare {}

    /** Holds if the key's modification revision equals {@code revision}; 0 means that the key is absent. */
    record ModRevision(String key, long revision) implements Compare {}

    /** Holds if the key exists with exactly this value. */
    record Value(String key, Payload value) implements Compare {}

    static Compare absent(String key) {
        return new CreateRevision(key, 0);
    }

    static Compare created(String key, long revision) {
        return new CreateRevision(key, revision);
    }

    static Compare unmodified(String key, long revision) {
        return new ModRevision(key, revision);
    }
}
