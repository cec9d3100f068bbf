// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Keys;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.Run;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.World;
import java.util.HashMap;
import java.util.Map;

/** The epochs of a job rise strictly with its placements, in the store and where it runs. */
final class EpochsRise implements Invariant {
    private final World world;
    private final Map<String, Run> latest = new HashMap<>();
    private final Map<String, Long> stored = new HashMap<>();

    EpochsRise(World world) {
        this.world = world;
    }

    @Override
    public void began(Run run) {
        Run last = latest.get(run.jobId());
        if (last != null && run.epoch() < last.epoch()) {
            if (!run.process().isExcused()) {
                world.violated(name(), run + " begins after " + last);
            }
            return;
        }
        if (last != null
                && run.epoch() == last.epoch()
                && !last.process().id().equals(run.process().id())) {
            world.violated(name(), run + " begins with the epoch of " + last);
        }
        latest.put(run.jobId(), run);
    }

    @Override
    public void committed(Commit commit) {
        for (Commit.Change change : commit.changes()) {
            if (change.name() instanceof Keys.Name.OfState of && change.after().isPresent()) {
                long epoch = Truth.epoch(change.after().get());
                long before = stored.getOrDefault(of.jobId(), 0L);
                if (epoch < before) {
                    world.violated(name(), of.jobId() + " has epoch " + epoch + " in its state after " + before);
                }
                stored.put(of.jobId(), Math.max(epoch, before));
            }
        }
    }
}
