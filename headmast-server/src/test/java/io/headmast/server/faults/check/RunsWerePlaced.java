// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Every run has the epoch of a placement of its job on its worker: nothing runs that was not placed there. */
final class RunsWerePlaced implements Check {
    private record Placement(String job, String worker, long epoch) {}

    @Override
    public String name() {
        return "runs-were-placed";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Set<Placement> placements = new HashSet<>();
        StoreView nothing = new StoreView(evidence.keys());
        for (Revision revision : evidence.store()) {
            for (KeyValue item : new StoreStep(revision, nothing, nothing).created()) {
                evidence.keys().parse(item.key()).ifPresent(name -> {
                    if (name instanceof Keys.Name.OfAssignment of) {
                        placements.add(new Placement(of.jobId(), of.workerId(), revision.number()));
                    }
                });
            }
        }
        List<String> violations = new ArrayList<>();
        evidence.runs().stream()
                .filter(run -> !placements.contains(new Placement(run.job(), run.worker(), run.epoch())))
                .forEach(run -> violations.add(run + " was never placed"));
        return violations;
    }
}
