// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** One kind of trouble that a cluster may meet. Stateless: what it needs to know of one occurrence is in its Trouble. */
public interface Fault {
    /** A word for reports. */
    String name();

    /** Whether it can happen here: what it needs is installed, and the store has as many members as it takes. */
    default boolean suits(Members etcd) {
        return true;
    }

    /** What a client must have waited to have felt that the store is away; much more than it ever waits otherwise. */
    Duration FELT = Duration.ofMillis(700);

    /** How long it may last. */
    Span lasts();

    /** Lets it happen, to something that isn't in trouble already; empty if there is no such thing now. */
    Optional<Trouble> begin(Stage stage, Random random);

    /** From how long to how long something lasts. */
    record Span(Duration shortest, Duration longest) {
        static Span ofSeconds(double shortest, double longest) {
            return new Span(Duration.ofMillis((long) (shortest * 1000)), Duration.ofMillis((long) (longest * 1000)));
        }

        public Duration some(Random random) {
            long range = longest.minus(shortest).toMillis();
            return shortest.plusMillis(range == 0 ? 0 : random.nextLong(range));
        }
    }
}
