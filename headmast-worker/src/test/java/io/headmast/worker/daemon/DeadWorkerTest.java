// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a command when its worker's process is killed. */
@EnabledOnOs(OS.LINUX)
class DeadWorkerTest {
    @TempDir
    Path directory;

    private CommandBench bench;
    private Process owner;

    @BeforeEach
    void prepare() {
        bench = new CommandBench(directory, Duration.ZERO, Duration.ZERO);
    }

    @AfterEach
    void end() {
        owner.destroyForcibly();
        new UnitMarker("dead").endAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo $$ > pid; exec sleep 1000",
                "trap '' TERM HUP INT; echo $$ > pid; while :; do sleep 0.01; done",
                "sh -c \"trap '' TERM; echo \\$\\$ > pid; while :; do sleep 0.01; done\" & wait"
            })
    void commandEndsWithItsWorker(String script) throws IOException, InterruptedException {
        start(script);
        String pid = bench.line("pid");

        kill9();

        CommandBench.awaitEnd(pid);
    }

    @Test
    void whatLeftTheGroupIsEndedByTheSuccessor() throws IOException, InterruptedException {
        start("setsid sh -c 'echo $$ > pid; exec sleep 1000' & wait");
        String pid = bench.line("pid");
        kill9();

        new UnitMarker("dead").endAll();

        CommandBench.awaitEnd(pid);
    }

    @Test
    void outputGoesWhereTheWorkersGoes() throws IOException {
        start("echo to people; echo to operators >&2; exec sleep 1000");

        Await.until("the output", CommandBench.LIMIT, () -> output().contains("to operators"));
        assertTrue(output().contains("to people"), this::output);
    }

    private void start(String script) throws IOException {
        String classPath = Objects.requireNonNullElse(
                System.getProperty("surefire.test.class.path"), System.getProperty("java.class.path"));
        owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        CommandOwner.class.getName(),
                        "dead",
                        directory.toString(),
                        script)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    private void kill9() throws InterruptedException {
        owner.destroyForcibly();
        assertTrue(owner.waitFor(CommandBench.LIMIT.toSeconds(), TimeUnit.SECONDS));
    }

    private String output() {
        try {
            return Files.readString(directory.resolve("output"));
        } catch (IOException e) {
            return "";
        }
    }
}
