// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Everything that decides what is planned next, as lines of text, the same for two states that mean the same. */
final class ClusterDescription {
    private ClusterDescription() {}

    /** One line for each job and each worker, and one with the counts. */
    static List<String> of(ClusterState state) {
        List<String> lines = new ArrayList<>();
        state.jobs.values().forEach(slot -> lines.add(slot.toString()));
        state.workers
                .values()
                .forEach(slot -> lines.add(slot + " open=" + slot.open() + " indexed=" + slot.indexed + " under="
                        + new TreeSet<>(slot.indexedUnder)));
        lines.add("revision=" + state.revision() + " records=" + state.recordCount() + " placed=" + state.placedCount()
                + " pending=" + state.pendingCount() + " domains=" + state.domains + " backlog="
                + state.backlog.size() + " kept=" + state.retention.size());
        return lines;
    }

    /** Compares line by line, so that a failure shows the line at fault. */
    static void assertSame(ClusterState expected, ClusterState actual) {
        List<String> expectedLines = of(expected);
        List<String> actualLines = of(actual);
        for (int i = 0; i < Math.min(expectedLines.size(), actualLines.size()); i++) {
            assertEquals(expectedLines.get(i), actualLines.get(i));
        }
        assertEquals(expectedLines.size(), actualLines.size());
    }
}
