// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.core.store.CompactedException;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.World;

/** The store forgets its history at the worst moment: while a process lacks some of it, and its watches break. */
final class Compaction implements Fault {
    @Override
    public String name() {
        return "compaction";
    }

    @Override
    public boolean strike(World world) {
        long revision = world.truth().revision();
        if (revision == 0) {
            return false;
        }
        world.note("store", "is compacted at ", revision);
        var unused = world.store().compact(revision);
        for (ClusterProcess process : world.processes()) {
            if (process.isUp() && process.knows() < revision) {
                process.breakWatches(new CompactedException(revision));
            }
        }
        return true;
    }
}
