// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import java.util.concurrent.TimeUnit;

/**
 * Wakes whoever waits for something new, all at once; each looks for itself what it is. Thread-safe, and cheap to ring.
 */
final class Bell {
    private long rings;

    synchronized long rings() {
        return rings;
    }

    synchronized void ring() {
        rings++;
        notifyAll();
    }

    /** Waits until it has rung since {@code seen}, or the time is over. */
    synchronized void await(long seen, long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; rings == seen && left > 0; left = until - System.nanoTime()) {
            // A wait of 0 ms would be one without end.
            wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
    }
}
