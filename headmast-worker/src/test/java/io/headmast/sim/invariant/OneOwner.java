// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.Run;
import io.headmast.sim.cluster.World;

/**
 * Ownership intervals of a job never overlap (G2). An interval goes from the moment the handler begins to the moment its
 * work has ended. One may reach into the next only while its process can't help it: it stands still or woke up just now,
 * its lease was taken away early, or its handler ignores that it was told to stop; then the next has the higher epoch.
 */
final class OneOwner implements Invariant {
    private final World world;

    OneOwner(World world) {
        this.world = world;
    }

    @Override
    public void began(Run run) {
        for (Run other : world.runs().of(run.jobId())) {
            Run older = other.epoch() < run.epoch() ? other : run;
            boolean excused = other.epoch() != run.epoch()
                    && other.process() != run.process()
                    && (older.process().isExcused() || older.process().isStubborn());
            if (excused) {
                world.tally().effect("overlap that epochs fence");
            } else {
                world.violated(name(), run + " begins while " + other + " goes on");
            }
        }
    }
}
