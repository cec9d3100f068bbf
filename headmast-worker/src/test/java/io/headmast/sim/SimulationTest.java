// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.sim.cluster.Flaw;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Seeds of which some failed once, and as many others with each run. */
class SimulationTest {
    private static final int SEEDS = Integer.getInteger("headmast.simulation.seeds", 1000);
    private static final int THREADS = 2;

    /** Each of these was violated by a bug of the product, or of the simulation, when it was found. */
    private static final long[] REGRESSIONS = {1, 3, 8, 9, 11, 22, 71, 161, 367, 384, 949, 2514};

    @Test
    void seedsThatFailedOnceHold() throws InterruptedException {
        assertHolds(new Campaign(THREADS, true), REGRESSIONS.length, i -> REGRESSIONS[(int) i]);
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void everyInvariantHoldsWhateverFails() throws InterruptedException {
        long base = new Random().nextInt(1_000_000_000);
        Campaign campaign = new Campaign(THREADS, true);
        assertHolds(campaign, SEEDS, i -> base + i);
        assertTrue(
                campaign.bit() > SEEDS * 9L / 10,
                () -> "from seed " + base + " on faults changed anything in " + campaign.bit() + " only");
    }

    private static void assertHolds(Campaign campaign, int count, LongUnaryOperator seedOf)
            throws InterruptedException {
        campaign.run(count, seedOf);
        assertEquals(Optional.empty(), campaign.violation());
    }

    @Test
    void sameSeedGivesTheSame() {
        assertEquals(
                Campaign.quietly(1, Flaw.NONE, true).trace(),
                Campaign.quietly(1, Flaw.NONE, true).trace());
    }
}
