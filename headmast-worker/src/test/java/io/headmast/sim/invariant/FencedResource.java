// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.Run;
import io.headmast.sim.cluster.World;
import java.util.HashMap;
import java.util.Map;

/**
 * A resource that every run writes to with its epoch, and that refuses epochs lower than the highest it has seen, never
 * refuses the run that the store says is placed.
 */
final class FencedResource implements Invariant {
    private final World world;
    private final Map<String, Long> highest = new HashMap<>();

    FencedResource(World world) {
        this.world = world;
    }

    @Override
    public void began(Run run) {
        write(run);
    }

    @Override
    public void ended(Run run) {
        write(run);
    }

    private void write(Run run) {
        if (run.epoch() >= highest.getOrDefault(run.jobId(), 0L)) {
            highest.put(run.jobId(), run.epoch());
            return;
        }
        world.tally().effect("write of a superseded run refused");
        boolean placed = world.truth()
                .item(world.keys().assignment(run.process().id(), run.jobId()))
                .filter(item -> item.createRevision() == run.epoch())
                .isPresent();
        if (placed) {
            world.violated(name(), run + " is refused although it is placed");
        }
    }
}
