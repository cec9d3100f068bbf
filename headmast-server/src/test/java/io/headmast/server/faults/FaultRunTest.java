// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.server.faults.FaultPlan.Planned;
import io.headmast.server.faults.kind.Fault;
import io.headmast.server.faults.kind.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short run under faults, and one with bugs planted in the jobs. On a busy machine the processes may take a minute to
 * come up, and come up again.
 */
@Timeout(240)
class FaultRunTest {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void clusterThatMeetsFaultsKeepsItsPromises() {
        FaultPlan plan = new FaultPlan(
                List.of(planned("cut", 1, 1), planned("kill-worker", 2, 7), planned("kill-leader", 4, 7)),
                Duration.ofSeconds(12));
        RunReport report = run(FaultRun.Settings.of(1, plan));
        assertEquals(List.of(), report.violations(), report::toString);
        assertEquals(Optional.empty(), report.inconclusive(), report::toString);
        assertTrue(report.faults().stream().allMatch(RunReport.Met::bit), report::toString);
        assertTrue(report.tells(), report::toString);
    }

    @Test
    void jobsThatDontDoAsTheyAreToldAreNoticed() {
        Map<String, Class<?>> planted = Map.of("w1", PlantedWorkers.Deaf.class, "w3", PlantedWorkers.Undead.class);
        // No faults: what is wrong is what was planted.
        FaultPlan plan = new FaultPlan(List.of(), Duration.ofSeconds(6));
        RunReport report = run(new FaultRun.Settings(1, plan, Duration.ofSeconds(5), planted));
        for (String worker : planted.keySet()) {
            Pattern goesOn = Pattern.compile("quiet-end: .* runs \\[.*worker=" + worker + ",");
            assertTrue(
                    report.violations().stream()
                            .anyMatch(violation -> goesOn.matcher(violation).find()),
                    report::toString);
        }
        assertTrue(
                report.violations().stream().noneMatch(violation -> violation.startsWith("linearizable:")),
                report::toString);
    }

    private static Planned planned(String name, int at, int lasts) {
        Fault fault = Faults.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new Planned(fault, Duration.ofSeconds(at), Duration.ofSeconds(lasts));
    }

    private RunReport run(FaultRun.Settings settings) {
        return new FaultRun(settings, directory).run(Topology.SINGLE.start());
    }
}
