// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.WorldListener;
import java.util.Optional;

/**
 * Something that must hold whatever fails: it is told what happens, and says to the world what must not be as it is. A
 * new one is a class and a line in {@link Invariants}.
 */
public interface Invariant extends WorldListener {
    default String name() {
        return getClass().getSimpleName();
    }

    /** Looks at everything: every hundred events, and when nothing moves. Between two tasks, so that time may be used. */
    default void examine() {}

    /** What has yet to come about after the faults have stopped; it must within a bounded time. */
    default Optional<String> outstanding() {
        return Optional.empty();
    }

    /** Nothing is outstanding any more. */
    default void settled() {}

    /** Some time has passed since. */
    default void end() {}
}
