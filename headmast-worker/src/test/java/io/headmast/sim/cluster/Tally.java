// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts by name: faults, orders, and what came of both. */
public final class Tally {
    private final SortedMap<String, Long> faults = new TreeMap<>();
    private final SortedMap<String, Long> orders = new TreeMap<>();
    private final SortedMap<String, Long> effects = new TreeMap<>();

    public void fault(String name) {
        faults.merge(name, 1L, Long::sum);
    }

    public void order(String name) {
        orders.merge(name, 1L, Long::sum);
    }

    public void effect(String name) {
        effects.merge(name, 1L, Long::sum);
    }

    public SortedMap<String, Long> faults() {
        return Collections.unmodifiableSortedMap(faults);
    }

    public SortedMap<String, Long> orders() {
        return Collections.unmodifiableSortedMap(orders);
    }

    public SortedMap<String, Long> effects() {
        return Collections.unmodifiableSortedMap(effects);
    }

    /**
     * Whether the faults changed anything: work was acknowledged, and a worker lost its lease or had to stop everything,
     * or the leader changed.
     */
    public boolean bit() {
        return effects.containsKey(Effects.ACKNOWLEDGED)
                && (effects.containsKey(Effects.WORKER_LOST)
                        || effects.containsKey(Effects.LEADER_CHANGED)
                        || effects.containsKey(Effects.WORKER_FENCED));
    }

    /** Adds what another counted. */
    public void add(Tally other) {
        other.faults.forEach((name, count) -> faults.merge(name, count, Long::sum));
        other.orders.forEach((name, count) -> orders.merge(name, count, Long::sum));
        other.effects.forEach((name, count) -> effects.merge(name, count, Long::sum));
    }
}
