// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;

/** Counts what the faults of a world bring about. */
final class Effects implements WorldListener {
    static final String LEADER_CHANGED = "leader changed";
    static final String WORKER_LOST = "worker's lease ended";
    static final String WORKER_FENCED = "worker fenced";
    static final String ACKNOWLEDGED = "order acknowledged";
    static final String RUN_LOST = "placement lost with its worker";

    private final Tally tally;
    private String leader = "";

    Effects(Tally tally) {
        this.tally = tally;
    }

    @Override
    public void committed(Commit commit) {
        if (commit.sent().filter(Sent::wasUnknown).isPresent()) {
            tally.effect("transaction applied late");
        }
        for (Commit.Change change : commit.changes()) {
            count(change, commit.sent().isPresent());
        }
    }

    private void count(Commit.Change change, boolean written) {
        if (change.name() instanceof Keys.Name.Leader) {
            change.after().ifPresent(this::lead);
        } else if (change.name() instanceof Keys.Name.OfWorker && change.isDeletion()) {
            tally.effect(WORKER_LOST);
        } else if (change.name() instanceof Keys.Name.OfAssignment && change.isCreation()) {
            tally.effect("job placed");
        } else if (change.name() instanceof Keys.Name.OfAssignment && change.isDeletion() && !written) {
            tally.effect(RUN_LOST);
        }
    }

    private void lead(KeyValue key) {
        String next = Truth.server(key).incarnation();
        if (!leader.isEmpty() && !leader.equals(next)) {
            tally.effect(LEADER_CHANGED);
        }
        leader = next;
    }
}
