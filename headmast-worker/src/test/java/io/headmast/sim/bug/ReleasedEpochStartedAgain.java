// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.worker.UnitFlaw;

/** A run that was stopped is started once more under the epoch that was released. */
final class ReleasedEpochStartedAgain implements PlantedBug {
    @Override
    public String name() {
        return "released epoch started again";
    }

    @Override
    public UnitFlaw units() {
        return UnitFlaw.STARTED_AGAIN;
    }
}
