// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.World;
import java.util.Optional;

/**
 * What belongs to a process goes with its lease: registrations, announcements and the leader key are on a lease, and
 * whatever lies below a worker's key is on the lease of its registration.
 */
final class LeaseBound implements Invariant {
    private final World world;

    LeaseBound(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        for (Commit.Change change : commit.changes()) {
            change.after().ifPresent(item -> look(change.name(), item));
        }
    }

    private void look(Keys.Name name, KeyValue item) {
        if (name instanceof Keys.Name.OfWorker
                || name instanceof Keys.Name.OfServer
                || name instanceof Keys.Name.Leader) {
            require(item.lease() != 0, item);
        } else if (name instanceof Keys.Name.OfAssignment of) {
            require(isOnLeaseOf(of.workerId(), item), item);
        } else if (name instanceof Keys.Name.OfKiller of) {
            require(isOnLeaseOf(of.workerId(), item), item);
        }
    }

    private boolean isOnLeaseOf(String workerId, KeyValue item) {
        Optional<KeyValue> registration = world.truth().item(world.keys().worker(workerId));
        return item.lease() != 0
                && registration.filter(found -> found.lease() != item.lease()).isEmpty();
    }

    private void require(boolean bound, KeyValue item) {
        if (!bound) {
            world.violated(name(), item.key() + " is on lease " + item.lease() + ", which isn't its owner's");
        }
    }
}
