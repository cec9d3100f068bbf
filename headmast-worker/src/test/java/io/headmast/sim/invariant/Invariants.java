// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.World;
import java.util.List;
import java.util.function.Function;

/** Every invariant there is. */
public final class Invariants {
    private static final List<Function<World, Invariant>> ALL = List.of(
            OneOwner::new,
            EpochsRise::new,
            FencedResource::new,
            OnePlacement::new,
            RoomAndMarks::new,
            LeaseBound::new,
            LeaderCommits::new,
            OwnStates::new,
            OrdersHold::new,
            MirrorsRight::new,
            DeadForgotten::new,
            NothingInALoop::new,
            EverythingRuns::new,
            Calm::new);

    private Invariants() {}

    public static List<Invariant> of(World world) {
        List<Invariant> all = ALL.stream().map(made -> made.apply(world)).toList();
        all.forEach(world::addListener);
        return all;
    }
}
