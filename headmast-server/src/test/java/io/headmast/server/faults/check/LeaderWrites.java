// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What only a leader does (placing, ordering a stop, removing) happens only while the leader key exists, and that key is
 * taken only when nobody has it. Who planned a write can't be seen in the store; {@link CommitsByTheLeader} asks the
 * servers' logs for that.
 */
final class LeaderWrites extends StepCheck {
    @Override
    public String name() {
        return "leader-writes";
    }

    @Override
    void look(StoreStep step, Consumer<String> report) {
        Optional<KeyValue> leader = step.before().get(step.keys().leader());
        for (WatchEvent change : step.changes()) {
            step.name(change.key()).ifPresent(name -> {
                if (leader.isEmpty() && isLeaders(step, name, change)) {
                    report.accept(change.key() + " was written while nobody led");
                }
                if (name instanceof Keys.Name.OfKiller of && change instanceof WatchEvent.Put) {
                    checkOrder(step, of, report);
                }
                if (name instanceof Keys.Name.Leader && change instanceof WatchEvent.Put put) {
                    leader.filter(before -> before.lease() != put.current().lease())
                            .ifPresent(before -> report.accept("the leader key was taken from lease "
                                    + Long.toHexString(before.lease()) + " by lease "
                                    + Long.toHexString(put.current().lease())));
                }
            });
        }
    }

    private static boolean isLeaders(StoreStep step, Keys.Name name, WatchEvent change) {
        if (change instanceof WatchEvent.Put put) {
            boolean places =
                    name instanceof Keys.Name.OfAssignment && put.current().createRevision() == step.number();
            return places || name instanceof Keys.Name.OfKiller;
        }
        return name instanceof Keys.Name.OfJob;
    }

    /** An order ends one placement, which exists. */
    private static void checkOrder(StoreStep step, Keys.Name.OfKiller of, Consumer<String> report) {
        boolean placed = step.before().placements(of.jobId()).stream()
                .anyMatch(placement -> placement.worker().equals(of.workerId()));
        if (!placed) {
            report.accept(of.workerId() + " was ordered to stop " + of.jobId() + ", which was not placed there");
        }
    }
}
