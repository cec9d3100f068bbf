// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Everything that decides what is planned next, as lines of text, the same for two states that mean the same. */
public final class ClusterDescription {
    private static final Pattern PLANNED = Pattern.compile(" (waits|backlog)=\\w+");

    private ClusterDescription() {}

    /** One line for each job and each worker, and one with the counts. */
    static List<String> of(ClusterState state) {
        List<String> lines = new ArrayList<>();
        state.jobs.values().forEach(slot -> lines.add(slot.toString()));
        state.workers
                .values()
                .forEach(slot -> lines.add(slot + " open=" + slot.open() + " indexed=" + slot.indexed + " under="
                        + new TreeSet<>(slot.indexedUnder) + " holds=" + held(slot)));
        lines.add("revision=" + state.revision() + " records=" + state.recordCount() + " placed=" + state.placedCount()
                + " pending=" + state.pendingCount() + " domains=" + state.domains + " backlog="
                + state.backlog.size() + " kept=" + state.retention.size());
        return lines;
    }

    /** The domains of its jobs that may move; one without any is swept out only now and then. */
    private static List<String> held(WorkerSlot worker) {
        return worker.holdings.entrySet().stream()
                .filter(holding -> !holding.getValue().byWeight.isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether no step is under way, so that it means what the store says and no more. */
    public static boolean isSettled(ClusterState state) {
        return state.jobs.values().stream().noneMatch(slot -> slot.underWay);
    }

    /** A state that was built anew, keeping what {@code like} keeps. */
    public static ClusterState prepared(ClusterState built, ClusterState like) {
        if (like.workers.values().stream().anyMatch(worker -> !worker.holdings.isEmpty() || worker.leaving != 0)) {
            built.trackMovables();
        }
        return built;
    }

    /** Compares line by line, so that a failure shows the line at fault. */
    static void assertSame(ClusterState expected, ClusterState actual) {
        assertSame(of(expected), of(actual));
    }

    /** The same but for what planning leaves behind: which jobs were found to have to wait. */
    public static void assertSameButPlanned(ClusterState expected, ClusterState actual) {
        assertSame(unplanned(expected), unplanned(actual));
    }

    private static List<String> unplanned(ClusterState state) {
        return of(state).stream()
                .map(line -> PLANNED.matcher(line).replaceAll(""))
                .toList();
    }

    private static void assertSame(List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertEquals(expected.get(i), actual.get(i));
        }
        assertEquals(expected.size(), actual.size());
    }
}
