// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.Names;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import io.headmast.worker.JobContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A command as a job, run by its handler on a thread of its own as a worker would. */
final class CommandBench {
    static final Duration LIMIT = Duration.ofSeconds(20);

    final UnitMarker marker = new UnitMarker("test-" + Names.random());
    final Path directory;
    private final Duration termPatience;
    private final Duration killPatience;

    CommandBench(Path directory, Duration termPatience, Duration killPatience) {
        this.directory = directory;
        this.termPatience = termPatience;
        this.killPatience = killPatience;
    }

    /** One run of a command. */
    final class Running {
        final JobContexts job;
        private final Thread thread;
        private final CompletableFuture<Optional<String>> failure = new CompletableFuture<>();

        private Running(JobContexts job) {
            this.job = job;
            CommandHandler handler = new CommandHandler(marker, termPatience, killPatience);
            thread = new Thread(() -> {
                try {
                    handler.run(job.context());
                    failure.complete(Optional.empty());
                } catch (Exception e) {
                    failure.complete(Optional.of(String.valueOf(e.getMessage())));
                }
            });
            thread.start();
        }

        /** Tells it to end, as a worker does. */
        void stop() {
            job.cancel("killed");
            thread.interrupt();
        }

        /** Interrupts it as a worker does that is tired of waiting. */
        void remind() {
            thread.interrupt();
        }

        boolean hasEnded() {
            return failure.isDone();
        }

        /** Waits for its end: with what it failed, if it did. */
        Optional<String> failure() {
            return Await.value(failure, LIMIT);
        }
    }

    /** Runs a script with {@code sh}. */
    Running sh(String script) {
        return run(Map.of(), directory.toString(), "sh", "-c", script);
    }

    Running run(Map<String, String> env, @Nullable String workdir, String... command) {
        return new Running(new JobContexts(
                Samples.job("j").toBuilder()
                        .payload(payload(env, workdir, command))
                        .build(),
                7));
    }

    static Payload payload(Map<String, String> env, @Nullable String workdir, String... command) {
        JsonObject json = new JsonObject();
        JsonArray line = new JsonArray();
        List.of(command).forEach(line::add);
        json.add("command", line);
        JsonObject variables = new JsonObject();
        env.forEach(variables::addProperty);
        json.add("env", variables);
        if (workdir != null) {
            json.addProperty("workdir", workdir);
        }
        return Json.toPayload(json);
    }

    /** Waits until the command has written a line into that file, and returns it. */
    String line(String file) {
        Await.until("a line in " + file, LIMIT, () -> read(file).endsWith("\n"));
        return read(file).strip();
    }

    private String read(String file) {
        Path path = directory.resolve(file);
        try {
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the process goes on; one that only waits to be asked for its exit code doesn't. */
    static boolean lives(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    static void awaitEnd(String pid) {
        Await.until("the end of process " + pid, LIMIT, () -> !lives(pid));
    }
}
