// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.sim.bug.PlantedBug;
import io.headmast.sim.bug.PlantedBugs;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** Whether the simulation would notice: each bug that is planted is found, by one of the first seeds. */
class PlantedBugsTest {
    private static final int SEEDS = 1000;
    private static final int THREADS = 2;

    /** @param by the violation; empty when no seed found it */
    private record Found(String bug, long seeds, String by) {}

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyPlantedBugIsFound(TestReporter reporter) throws Exception {
        List<String> missed = new ArrayList<>();
        for (Found found : findAll()) {
            reporter.publishEntry(found.bug(), found.seeds() + " seeds: " + found.by());
            if (found.by().isEmpty()) {
                missed.add(found.bug());
            }
        }
        assertEquals(List.of(), missed);
    }

    private static List<Found> findAll() throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Found> all = new ArrayList<>();
            for (Future<Found> found : executor.invokeAll(PlantedBugs.ALL.stream()
                    .<Callable<Found>>map(bug -> () -> find(bug))
                    .toList())) {
                all.add(found.get());
            }
            return all;
        } finally {
            executor.shutdownNow();
        }
    }

    private static Found find(Supplier<PlantedBug> bug) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome = Campaign.quietly(seed, bug.get(), false);
            if (outcome.violation().isPresent()) {
                return new Found(bug.get().name(), seed, outcome.violation().get());
            }
        }
        return new Found(bug.get().name(), SEEDS, "");
    }
}
