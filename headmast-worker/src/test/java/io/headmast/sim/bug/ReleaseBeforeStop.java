// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.worker.UnitFlaw;

/** A run is released as soon as it is told to stop, while it goes on. */
final class ReleaseBeforeStop implements PlantedBug {
    @Override
    public String name() {
        return "release before stop";
    }

    @Override
    public UnitFlaw units() {
        return UnitFlaw.ENDED_WHEN_TOLD;
    }
}
