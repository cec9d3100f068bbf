// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import io.headmast.sim.cluster.Tally;
import java.io.PrintStream;
import java.util.Map;

/** What a campaign came to, for people. */
final class Summary {
    private final Campaign campaign;
    private final PrintStream out;

    Summary(Campaign campaign, PrintStream out) {
        this.campaign = campaign;
        this.out = out;
    }

    void print() {
        Tally tally = campaign.tally();
        print("faults", tally.faults());
        print("orders", tally.orders());
        print("what came of them", tally.effects());
        out.printf(
                "%nIn %,d of %,d seeds the faults bit: a worker lost its lease or had to stop everything, or the"
                        + " leader changed.%n",
                campaign.bit(), campaign.seeds());
        for (Outcome violated : campaign.violated()) {
            out.printf(
                    "VIOLATED seed %d: %s%n",
                    violated.seed(), violated.violation().orElseThrow());
        }
    }

    private void print(String title, Map<String, Long> counts) {
        out.printf("%n%s%n", title);
        counts.forEach((name, count) -> out.printf("  %,12d  %s%n", count, name));
    }
}
