// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.worker.UnitFlaw;

/** Runs aren't told to stop when their worker loses its lease. */
final class FenceIgnored implements PlantedBug {
    @Override
    public String name() {
        return "fence ignored";
    }

    @Override
    public UnitFlaw units() {
        return UnitFlaw.NEVER_FENCED;
    }
}
