// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.testing.CuttingProxy.Direction;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Where data of all connections passes, or waits. */
final class ProxyGate {
    private final Set<Direction> held = EnumSet.noneOf(Direction.class);
    private long delayNanos;

    synchronized void hold(Direction... directions) {
        held.addAll(List.of(directions));
    }

    synchronized void release() {
        held.clear();
        delayNanos = 0;
        notifyAll();
    }

    synchronized void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Returns when data that has just come may go on. */
    synchronized void pass(Direction direction) throws InterruptedException {
        long start = System.nanoTime();
        while (held.contains(direction) || (direction == Direction.DOWN && System.nanoTime() - start < delayNanos)) {
            if (held.contains(direction)) {
                wait();
            } else {
                // Rounded up: a wait of 0 would be one without end.
                wait((delayNanos - (System.nanoTime() - start)) / 1_000_000 + 1);
            }
        }
    }
}
