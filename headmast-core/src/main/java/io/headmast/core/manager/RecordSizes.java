// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many records to ask for at once, by how large they were lately: nobody knows before, and an answer must stay far
 * below the store's limit. Thread-safe.
 */
final class RecordSizes {
    static final int FEWEST = 8;
    static final int MOST = 120;

    private static final long ANSWER_BYTES = 4 << 20;

    /** So many of the largest records there are make an answer that is taken still; there is no telling at first. */
    private static final int FIRST = 32;

    /** A large record is forgotten by and by. */
    private static final int FADING = 64;

    /** The size of a large record among those of late. */
    private final AtomicLong large = new AtomicLong(ANSWER_BYTES / FIRST);

    void saw(long bytes) {
        large.accumulateAndGet(bytes, (before, now) -> Math.max(now, before - before / FADING));
    }

    int fitting() {
        return (int) Math.max(FEWEST, Math.min(MOST, ANSWER_BYTES / Math.max(1, large.get())));
    }
}
