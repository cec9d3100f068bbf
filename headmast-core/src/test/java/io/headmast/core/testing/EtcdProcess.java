// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An etcd that is a process on this machine. */
final class EtcdProcess implements EtcdHost {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final Path binary;
    private final Ports ports;
    private final List<String> flags;
    private final Path directory;
    private final Thread atExit = new Thread(this::end, "etcd-at-exit");

    private @Nullable Process process;

    /** @param flags all but the data directory */
    EtcdProcess(Path binary, Ports ports, List<String> flags) {
        this.binary = binary;
        this.ports = ports;
        this.flags = flags;
        try {
            this.directory = Files.createTempDirectory("headmast-etcd-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public synchronized void start() {
        List<String> command = new ArrayList<>();
        command.add(binary.toString());
        command.addAll(List.of("--data-dir", directory.resolve("data").toString()));
        command.addAll(flags);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
        // Flags may come from variables too; those of whoever runs the tests must not leak in.
        builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized boolean alive() {
        return process != null && process.isAlive();
    }

    @Override
    public synchronized void kill() {
        if (process != null) {
            process.destroyForcibly();
            Processes.awaitEnd(process);
        }
    }

    @Override
    public void pause() {
        signal("STOP");
        Await.until("etcd stands still", STOP_LIMIT, () -> Processes.standsStill(pid()));
    }

    @Override
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        Processes.output(List.of("kill", "-" + name, Long.toString(pid())));
    }

    private synchronized long pid() {
        if (process == null) {
            throw new IllegalStateException("etcd was not started");
        }
        return process.pid();
    }

    @Override
    public String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void remove() {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private void end() {
        kill();
        Processes.deleteTree(directory);
    }

    private Path logFile() {
        return directory.resolve("etcd.log");
    }
}
