// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/**
 * A failure that only the store's direct users can make sense of; they handle it, so it never reaches a user of
 * headmast. Those that may are in {@link io.headmast.api.HeadmastException}.
 */
public abstract sealed class StoreException extends RuntimeException
        permits LeaseNotFoundException, CompactedException {
    private static final long serialVersionUID = 1L;

    StoreException(String message) {
        super(message);
    }
}
