// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.testing.Await;
import io.headmast.worker.daemon.CommandBench.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands as real processes. */
@EnabledOnOs(OS.LINUX)
class CommandHandlerTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final List<CommandBench> benches = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        benches.forEach(bench -> bench.marker.endAll());
    }

    @Test
    void exitCodeIsReported() {
        Running good = bench(LONG, SHORT).sh("exit 0");
        assertEquals(Optional.empty(), good.failure());
        assertEquals(Optional.of(0), good.job.exitCode());

        Running bad = bench(LONG, SHORT).sh("exit 3");
        assertEquals(Optional.of("exit code 3"), bad.failure());
        assertEquals(Optional.of(3), bad.job.exitCode());
    }

    @Test
    void signalIsReported() {
        Running killed = bench(LONG, SHORT).sh("kill -9 $$");

        assertEquals(Optional.of("ended by signal 9"), killed.failure());
        assertEquals(Optional.of(137), killed.job.exitCode());
    }

    @Test
    void programThatDoesNotExistFails() {
        Running none = bench(LONG, SHORT).run(Map.of(), null, "no-such-program");

        assertEquals(Optional.of("exit code 127"), none.failure());
    }

    @Test
    void directoryThatDoesNotExistIsNamed() {
        String text = bench(LONG, SHORT)
                .run(Map.of(), "/no/such/directory", "true")
                .failure()
                .orElseThrow();

        assertTrue(text.contains("/no/such/directory"), text);
    }

    @Test
    void commandRunsInItsDirectoryWithItsEnvironmentAndLittleMore() {
        CommandBench bench = bench(LONG, SHORT);
        Running run = bench.run(
                Map.of("COLOUR", "blue", "HEADMAST_EPOCH", "forged"),
                directory.toString(),
                "sh",
                "-c",
                "pwd > pwd; env | sed 's/=.*//' | sort | tr '\\n' ' ' > names; echo >> names;"
                        + " echo \"$COLOUR $HEADMAST_JOB_ID $HEADMAST_EPOCH $HEADMAST_ATTEMPT $HEADMAST_WORKER_ID\""
                        + " > values");

        assertEquals(Optional.empty(), run.failure());
        assertEquals(directory.toString(), bench.line("pwd"));
        assertEquals("blue j 7 1 w", bench.line("values"));
        List<String> allowed = List.of(
                "COLOUR",
                "HEADMAST_ATTEMPT",
                "HEADMAST_EPOCH",
                "HEADMAST_JOB_ID",
                "HEADMAST_UNIT",
                "HEADMAST_WORKER_ID",
                "HOME",
                "LANG",
                "LC_ALL",
                "PATH",
                "PWD",
                "OLDPWD",
                "SHLVL",
                "TMPDIR",
                "TZ",
                "_");
        for (String name : bench.line("names").split(" ", -1)) {
            assertTrue(allowed.contains(name), name);
        }
    }

    @Test
    void noShellReadsTheCommand() {
        CommandBench bench = bench(LONG, SHORT);
        // As words of a shell these would be the shell's own.
        assertEquals(
                Optional.of("exit code 127"),
                bench.run(Map.of(), null, "eval", "exit 0").failure());
        assertEquals(
                Optional.empty(),
                bench.run(Map.of(), directory.toString(), "cp", "/dev/null", "$HOME; *")
                        .failure());
        assertTrue(directory.resolve("$HOME; *").toFile().exists());
    }

    @Test
    void pathOfTheJobIsNoneOfTheSupervisors() {
        CommandBench bench = bench(Duration.ZERO, SHORT);
        Running run = bench.run(
                Map.of("PATH", "/nowhere"),
                directory.toString(),
                "/bin/sh",
                "-c",
                "trap 'echo told > told' TERM; echo up > up; while :; do :; done");
        bench.line("up");

        run.stop();

        assertEquals(Optional.empty(), run.failure());
        assertEquals("told", bench.line("told"));
    }

    @Test
    void stoppedCommandGetsTermAndTime() {
        CommandBench bench = bench(LONG, LONG);
        Running run = bench.sh("trap 'echo bye > bye; exit 5' TERM; echo $$ > pid; while :; do sleep 0.01; done");
        String pid = bench.line("pid");

        run.stop();

        assertEquals(Optional.empty(), run.failure());
        assertEquals(Optional.of(5), run.job.exitCode());
        assertEquals("bye", bench.line("bye"));
        CommandBench.awaitEnd(pid);
    }

    @Test
    void commandThatIgnoresTermIsKilledWhateverRemindsItsHandler() {
        CommandBench bench = bench(SHORT, SHORT);
        Running run = bench.sh("trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done");
        String pid = bench.line("pid");

        run.stop();
        run.remind();

        assertEquals(Optional.empty(), run.failure());
        assertEquals(Optional.of(137), run.job.exitCode());
        CommandBench.awaitEnd(pid);
    }

    @Test
    void patienceEndsWithTheLease() {
        CommandBench bench = bench(LONG, SHORT);
        Running run = bench.sh("trap '' TERM; echo $$ > pid; while :; do sleep 0.01; done");
        bench.line("pid");
        run.stop();
        assertFalse(run.hasEnded());

        run.job.loseLease();

        assertEquals(Optional.empty(), run.failure());
        assertEquals(Optional.of(137), run.job.exitCode());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 1000 & echo $! > child; wait",
                "setsid sh -c 'echo $$ > child; exec sleep 1000' & wait",
                "(trap '' TERM HUP; setsid sh -c 'echo $$ > child; while :; do sleep 0.01; done') & wait"
            })
    void descendantsEndWithTheirCommandEvenIfTheyLeftItsGroup(String script) {
        CommandBench bench = bench(LONG, SHORT);
        Running run = bench.sh(script);
        String child = bench.line("child");
        assertTrue(CommandBench.lives(child));

        run.stop();

        assertEquals(Optional.empty(), run.failure());
        CommandBench.awaitEnd(child);
    }

    @Test
    void descendantsOfACommandThatEndedByItselfEndToo() {
        CommandBench bench = bench(LONG, SHORT);
        Running run = bench.sh("setsid sh -c 'echo $$ > child; exec sleep 1000' & while ! [ -s child ]; do :; done");

        assertEquals(Optional.empty(), run.failure());

        CommandBench.awaitEnd(bench.line("child"));
    }

    @Test
    void supervisorIsNoLeftover() {
        CommandBench bench = bench(LONG, LONG);
        Running run = bench.sh("echo $PPID > supervisor; exec sleep 1000");
        String supervisor = bench.line("supervisor");

        // The command is found by its marker and ended; what watches it goes by itself.
        bench.marker.endAll();

        assertEquals(Optional.of("ended by signal 9"), run.failure());
        CommandBench.awaitEnd(supervisor);
    }

    @Test
    void leftoversAreFoundByTheirMarkerAndThoseOfOthersAreNot() {
        CommandBench one = bench(LONG, SHORT);
        CommandBench other = bench(LONG, SHORT);
        Running mine = one.sh("echo $$ > mine; exec sleep 1000");
        Running others = other.sh("echo $$ > others; exec sleep 1000");
        one.line("mine");
        String pid = other.line("others");

        one.marker.endAll();

        assertEquals(Optional.of("ended by signal 9"), mine.failure());
        assertTrue(CommandBench.lives(pid));
        others.stop();
        assertEquals(Optional.empty(), others.failure());
    }

    @Test
    void stopThatComesAtOnceLeavesNothing() {
        CommandBench bench = bench(LONG, SHORT);
        for (int i = 0; i < 10; i++) {
            Running run = bench.sh("trap '' TERM; echo $$ > pid" + i + "; while :; do sleep 0.01; done");
            run.job.loseLease();
            run.stop();
            assertEquals(Optional.empty(), run.failure());
            Path pid = directory.resolve("pid" + i);
            Await.until(
                    "no process",
                    CommandBench.LIMIT,
                    () -> !pid.toFile().exists()
                            || !CommandBench.lives(bench.line(pid.getFileName().toString())));
        }
    }

    private CommandBench bench(Duration termPatience, Duration killPatience) {
        CommandBench bench = new CommandBench(directory, termPatience, killPatience);
        benches.add(bench);
        return bench;
    }
}
