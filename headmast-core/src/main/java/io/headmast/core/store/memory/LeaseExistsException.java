// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

/** A lease was asked for with the id of one that there is. */
public final class LeaseExistsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeaseExistsException(long id) {
        super("there is a lease " + Long.toHexString(id) + " already");
    }
}
