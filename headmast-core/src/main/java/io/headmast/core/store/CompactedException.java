// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/** The history asked for is no longer there. */
public final class CompactedException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final long compactRevision;

    public CompactedException(long compactRevision) {
        super("history before revision " + compactRevision + " is compacted");
        this.compactRevision = compactRevision;
    }

    /** The oldest revision that can still be read; 0 when the store didn't say. */
    public long compactRevision() {
        return compactRevision;
    }
}
