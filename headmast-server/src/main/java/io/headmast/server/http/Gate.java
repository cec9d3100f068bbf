// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets so many requests be worked on at once, and so many more wait for a short while. Thread-safe. */
final class Gate {
    private final Semaphore places;
    private final AtomicInteger waiting = new AtomicInteger();
    private final HttpLimits limits;

    Gate(HttpLimits limits) {
        this.limits = limits;
        this.places = new Semaphore(limits.maxHandled(), true);
    }

    /**
     * Takes a place; {@link #leave()} gives it back.
     *
     * @throws HeadmastException.Unavailable if none gets free in time
     */
    void enter() {
        if (!places.tryAcquire() && !waitForPlace()) {
            throw new HeadmastException.Unavailable("the server has too many requests at once; try again");
        }
    }

    void leave() {
        places.release();
    }

    private boolean waitForPlace() {
        try {
            return waiting.incrementAndGet() <= limits.maxWaiting()
                    && places.tryAcquire(limits.waitTime().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waiting.decrementAndGet();
        }
    }
}
