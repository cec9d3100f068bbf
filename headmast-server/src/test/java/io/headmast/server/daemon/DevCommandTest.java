// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import io.headmast.worker.daemon.DaemonCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DevCommandTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern REST = Pattern.compile("REST +(http://\\S+)");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void runsJobsAndEndsThemWithItself() throws Exception {
        DevDaemon daemon = new DevDaemon(new DevOptions(0, 0, 2, "balance"), new PrintWriter(out));
        CompletableFuture<Void> run = runApart(daemon);
        Await.until("it is up", LIMIT, () -> run.isDone() || out.toString().contains("Ctrl-C"));
        try (HeadmastClient client =
                HeadmastClient.create(ClientOptions.builder().servers(address()).build())) {
            Path started = directory.resolve("started");
            client.createNewJob(Job.builder()
                    .id("hello")
                    .domain("demo")
                    .payload(Payload.of("{\"command\":[\"sh\",\"-c\",\"echo $$ > " + started + "; exec sleep 600\"]}"))
                    .build());
            Await.until(
                    "the job runs",
                    LIMIT,
                    () -> client.getJob("hello")
                            .filter(job -> job.state().phase() == Phase.RUNNING)
                            .isPresent());
            Await.until(
                    "its process runs",
                    LIMIT,
                    () -> Files.exists(started) && !read(started).isBlank());
            ProcessHandle process =
                    ProcessHandle.of(Long.parseLong(read(started).strip())).orElseThrow();

            daemon.close();
            Await.value(run, LIMIT);
            Await.until("the process ended", LIMIT, () -> !process.isAlive());
        }
    }

    @Test
    void takenPortsAreToldWithWhatToPass() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertEquals(DaemonCommand.FAILED, run("--etcd-port", Integer.toString(port), "--port", "0"));
            assertTrue(err.toString().startsWith("headmast dev: can't listen on 127.0.0.1:" + port), err::toString);
            assertTrue(err.toString().contains("--etcd-port"), err::toString);

            assertEquals(DaemonCommand.FAILED, run("--etcd-port", "0", "--port", Integer.toString(port)));
            assertTrue(err.toString().contains("(--port)"), err::toString);
        }
    }

    @Test
    void wrongUsageIsTold() {
        assertEquals(DaemonCommand.USAGE, run("--workers", "101"));
        assertEquals(
                "headmast dev: --workers must lie between 0 and 100 (it is '101')",
                err.toString().strip());
    }

    @Test
    void closedBeforeItRunsItDoesNotStart() throws InterruptedException {
        DevDaemon daemon = new DevDaemon(new DevOptions(0, 0, 1, "roundbin"), new PrintWriter(out));
        daemon.close();
        daemon.run();
        assertEquals("", out.toString());
    }

    private int run(String... arguments) {
        var at = new DaemonCommand.Surroundings(Map.of(), new PrintWriter(out), new PrintWriter(err));
        return DevCommand.command(at.out()).run(at, arguments);
    }

    private String address() {
        Matcher found = REST.matcher(out.toString());
        assertTrue(found.find(), out::toString);
        return found.group(1);
    }

    private static CompletableFuture<Void> runApart(DevDaemon daemon) {
        return CompletableFuture.runAsync(() -> {
            try {
                daemon.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
