// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The history of the store has every revision from the first to the last, and comes to what a fresh listing shows.
 * Without that no other check of the store means anything, so what is missing makes the evidence inconclusive.
 */
final class CompleteHistory implements Check {
    /** A fresh etcd is at revision 1; the first write makes 2. */
    private static final long FIRST = 2;

    @Override
    public String name() {
        return "complete-history";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        long next = FIRST;
        StoreView view = new StoreView(evidence.keys());
        for (Revision revision : evidence.store()) {
            if (revision.number() != next) {
                throw new Inconclusive("the store's history goes on with revision " + revision.number() + " where "
                        + next + " should be");
            }
            next++;
            view.apply(revision);
        }
        List<KeyValue> listed = new ArrayList<>(evidence.last());
        listed.sort(Comparator.comparing(KeyValue::key));
        if (!listed.equals(view.items())) {
            listed.removeAll(view.items());
            throw new Inconclusive("the store's history doesn't come to what it holds; it lacks " + listed);
        }
        return List.of();
    }
}
