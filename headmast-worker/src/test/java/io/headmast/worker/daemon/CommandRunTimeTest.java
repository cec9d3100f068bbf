// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Names;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.core.testing.Samples;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.LeaderByHand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that may run only so long, in a whole worker. */
class CommandRunTimeTest {
    private static final RestartPolicy NEVER =
            new RestartPolicy(RestartPolicy.When.NEVER, Duration.ZERO, Duration.ZERO, 0);

    @TempDir
    Path directory;

    private final LeaderByHand leader = new LeaderByHand();

    @AfterEach
    void close() {
        leader.close();
    }

    @Test
    void commandThatTakesTooLongIsTerminatedAndHasFailed() throws Exception {
        assertEquals(Optional.of(3), fail("trap 'exit 3' TERM").exit(), "it had the time to end by itself");
    }

    @Test
    void commandThatIgnoresItsTerminationIsKilled() throws Exception {
        assertEquals(Optional.of(137), fail("trap '' TERM").exit());
    }

    private RunState fail(String trap) throws Exception {
        CommandHandler handler = new CommandHandler(
                new UnitMarker("test-" + Names.random()), Duration.ofMillis(500), Duration.ofMillis(100));
        String script = trap + "; echo $$ > pid; while :; do sleep 0.05; done";
        try (HeadmastWorker worker = HeadmastWorker.builder(
                        LeaderByHand.context().build())
                .store(leader.store)
                .handler(handler)
                .start()) {
            leader.place(Samples.job("j").toBuilder()
                    .payload(CommandBench.payload(Map.of(), directory.toString(), "sh", "-c", script))
                    .maxRunTime(Duration.ofSeconds(1))
                    .restart(NEVER)
                    .build());
            RunState failed = leader.await("j", Phase.FAILED);
            assertEquals("ran longer than maxRunTime 1s", failed.reason());
            CommandBench.awaitEnd(Files.readString(directory.resolve("pid")).strip());
            assertEquals(List.of(), worker.runningJobs());
            return failed;
        }
    }
}
