// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What must hold of each revision of the store, in the light of the one before. */
abstract class StepCheck implements Check {
    /** Reports what is wrong with one revision. */
    abstract void look(StoreStep step, Consumer<String> report);

    @Override
    public final List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        StoreView before = new StoreView(evidence.keys());
        StoreView after = new StoreView(evidence.keys());
        for (Revision revision : evidence.store()) {
            after.apply(revision);
            look(
                    new StoreStep(revision, before, after),
                    problem -> violations.add("at revision " + revision.number() + ": " + problem));
            before.apply(revision);
        }
        return violations;
    }
}
