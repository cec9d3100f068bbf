// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.sim.cluster.ClusterProcess;

/** A watch that broke is trusted to go on from what is the present when it comes back. */
final class WatchResumeTrusted implements PlantedBug {
    @Override
    public String name() {
        return "watch resume trusted";
    }

    @Override
    public KeyValueStore store(ClusterProcess process, KeyValueStore store) {
        return new Resuming(store, cause -> true);
    }
}
