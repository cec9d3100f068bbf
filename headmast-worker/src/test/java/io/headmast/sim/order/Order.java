// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.order;

import io.headmast.sim.cluster.World;

/** Something that users ask for. A new one is a class and a line in {@link Orders}. */
public interface Order {
    /** For people, in counts. */
    String name();

    /** Gives it, about whatever the world's randomness says; whether it could be given. */
    boolean give(World world);
}
