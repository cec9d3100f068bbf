// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of full length; with {@code -Pfull} only. Seeds that follow one another meet all kinds of faults in turn. */
@EnabledIfSystemProperty(named = "headmast.tier", matches = "full")
class FaultRunsTest {
    private static final Duration LENGTH = Duration.ofSeconds(45);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    @Timeout(300)
    void clusterThatMeetsFaultsKeepsItsPromises(long seed) {
        RunReport report = FaultRuns.run(seed, LENGTH, fault -> true, directory);
        assertEquals(List.of(), report.violations(), report::toString);
        assertEquals(Optional.empty(), report.inconclusive(), report::toString);
        assertTrue(report.tells(), report::toString);
    }
}
