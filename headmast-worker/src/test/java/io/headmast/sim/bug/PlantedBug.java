// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.sim.cluster.Flaw;

/** A bug that the simulation must find. A new one is a class and a line in {@link PlantedBugs}. */
public interface PlantedBug extends Flaw {
    /** What is wrong, for people. */
    String name();
}
