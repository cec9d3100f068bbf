// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.World;
import java.util.List;

/** The store ends a lease early, as one whose leader is out of date does. Its holder can't know before its next renewal. */
final class LeaseRevoked implements Fault {
    @Override
    public String name() {
        return "lease revoked early";
    }

    @Override
    public boolean strike(World world) {
        List<KeyValue> leased = world.truth().now().values().stream()
                .filter(item -> item.lease() != 0)
                .toList();
        if (leased.isEmpty()) {
            return false;
        }
        long lease = world.any(leased).lease();
        world.note("store", "revokes lease ", lease);
        world.workers().stream()
                .filter(worker -> world.truth()
                        .item(world.keys().worker(worker.id()))
                        .filter(item -> item.lease() == lease)
                        .isPresent())
                .forEach(worker -> worker.excuse(World.TTL));
        var unused = world.store().revokeLease(lease);
        return true;
    }
}
