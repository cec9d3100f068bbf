// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.server.faults.kind.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Which faults a run meets, and when: the same seed gives the same.
 *
 * @param length for how long clients give orders; the faults are over by then
 */
record FaultPlan(List<Planned> faults, Duration length) {
    private static final int FAULTS = 4;
    private static final Duration FIRST = Duration.ofSeconds(2);

    /** A fault, when it begins after the load began, and how long it lasts. */
    record Planned(Fault fault, Duration at, Duration lasts) {}

    FaultPlan {
        faults = faults.stream().sorted(Comparator.comparing(Planned::at)).toList();
    }

    /**
     * So many faults within {@code length} that runs which follow one another meet all kinds in turn.
     *
     * @param turn counts the runs with these kinds
     */
    static FaultPlan of(long seed, long turn, List<Fault> kinds, Duration length) {
        List<Fault> deck = new ArrayList<>(kinds);
        // The same for all, so that turns don't leave any out.
        Collections.shuffle(deck, new Random(kinds.size()));
        Random random = new Random(seed);
        List<Planned> planned = new ArrayList<>();
        for (int i = 0; i < FAULTS; i++) {
            Fault fault = deck.get((int) ((turn * FAULTS + i) % deck.size()));
            Duration lasts = fault.lasts().some(random);
            long room = length.minus(FIRST).minus(lasts).toMillis();
            planned.add(new Planned(fault, FIRST.plusMillis(random.nextLong(room)), lasts));
        }
        return new FaultPlan(planned, length);
    }
}
