// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import java.util.List;
import java.util.function.Supplier;

/** Every planted bug there is; each is made anew for a seed, since it may remember things. */
public final class PlantedBugs {
    public static final List<Supplier<PlantedBug>> ALL = List.of(
            NoFenceCompare::new,
            FenceNotRenewed::new,
            FormerAssignmentNotCompared::new,
            KillOrderNotOverwritten::new,
            ReleasedEpochStartedAgain::new,
            LeaseNotNamedAgain::new,
            StalePlanRetried::new,
            ResyncSkipped::new,
            WatchResumeTrusted::new,
            WallClockLease::new,
            KillNotReread::new,
            ReleaseBeforeStop::new,
            ReportWithoutEpochCheck::new,
            UnknownTakenAsFailure::new,
            UnknownTakenAsSuccess::new,
            AssumptionNeverDropped::new,
            CompactionIgnored::new,
            FenceIgnored::new);

    private PlantedBugs() {}
}
