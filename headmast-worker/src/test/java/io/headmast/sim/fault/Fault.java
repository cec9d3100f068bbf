// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.World;

/** Something that goes wrong. A new one is a class and a line in {@link Faults}. */
public interface Fault {
    /** For people, in counts. */
    String name();

    /** Lets it happen to whatever the world's randomness says, and ends it by itself later; whether it could happen. */
    boolean strike(World world);
}
