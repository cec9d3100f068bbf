// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.sim.cluster.Flaw;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** Seeds of which some failed once, and a run of others; {@code -Dheadmast.simulation.from} chooses which. */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("headmast.simulation.seeds", 1000);
    private static final long FROM = Long.getLong("headmast.simulation.from", 1);
    private static final int THREADS = 2;

    /** Each of these was violated by a bug of the product or of the simulation. */
    private static final long[] REGRESSIONS = {1, 8, 9, 11, 22, 161, 367, 384, 949, 2514};

    @Test
    void seedsThatFailedOnceHold() throws InterruptedException {
        assertHolds(new Campaign(THREADS, () -> Flaw.NONE), REGRESSIONS.length, 0);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyInvariantHoldsWhateverFails() throws InterruptedException {
        Campaign campaign = new Campaign(THREADS, () -> Flaw.NONE);
        assertHolds(campaign, SEEDS, FROM);
        assertTrue(campaign.bit() > SEEDS * 9 / 10, () -> "faults changed nothing in most seeds: " + campaign.bit());
    }

    /** @param base of the seeds; 0 for those that failed once */
    private static void assertHolds(Campaign campaign, int count, long base) throws InterruptedException {
        campaign.run(count, i -> base == 0 ? REGRESSIONS[(int) i] : base + i);
        assertEquals(
                Optional.empty(),
                campaign.violation()
                        .map(outcome -> "seed " + outcome.seed() + ": "
                                + outcome.violation().orElseThrow()));
    }

    @Test
    void sameSeedGivesTheSame() {
        MDC.put(Campaign.QUIET, "quiet");
        try {
            assertEquals(
                    Simulation.run(1, Flaw.NONE, true).trace(),
                    Simulation.run(1, Flaw.NONE, true).trace());
        } finally {
            MDC.remove(Campaign.QUIET);
        }
    }
}
