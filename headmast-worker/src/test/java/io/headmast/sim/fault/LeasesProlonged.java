// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.World;

/** The time of every lease begins anew, as when etcd changes its leader: those of the dead lapse late. */
final class LeasesProlonged implements Fault {
    @Override
    public String name() {
        return "leases prolonged";
    }

    @Override
    public boolean strike(World world) {
        world.note("store", "prolongs all leases");
        world.prolongLeases();
        return true;
    }
}
