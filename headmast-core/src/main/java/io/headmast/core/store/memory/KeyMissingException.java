// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

/** A put that keeps the value or the lease of its key found no such key. Nothing was applied. */
public final class KeyMissingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeyMissingException(String key) {
        super("there is no key " + key);
    }
}
