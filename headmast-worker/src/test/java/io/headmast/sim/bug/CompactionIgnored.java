// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.sim.cluster.ClusterProcess;

/** A watch whose revision was compacted away goes on with what there is. */
final class CompactionIgnored implements PlantedBug {
    @Override
    public String name() {
        return "compaction ignored";
    }

    @Override
    public KeyValueStore store(ClusterProcess process, KeyValueStore store) {
        return new Resuming(store, CompactedException.class::isInstance);
    }
}
