// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/** The lease has lapsed or was revoked. A transaction that failed with this changed nothing. */
public final class LeaseNotFoundException extends StoreException {
    private static final long serialVersionUID = 1L;

    public LeaseNotFoundException(String message) {
        super(message);
    }
}
