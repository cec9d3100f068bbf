// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Every flush of etcd's files to the disk takes longer: strace holds each fdatasync and fsync of every member up. Needs
 * strace, and the right to use it on etcd.
 */
final class SlowDisk implements Fault {
    private static final Duration DELAY = Duration.ofMillis(250);
    private static final long END_LIMIT_SECONDS = 10;

    @Override
    public String name() {
        return "slow-disk";
    }

    @Override
    public boolean suits(Members etcd) {
        return works();
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(3, 10);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        if (!stage.takeStore()) {
            return Optional.empty();
        }
        List<Process> tracers = new ArrayList<>();
        stage.etcd().all().forEach(member -> tracers.add(trace(pid(member))));
        return Optional.of(new Occurrence(
                stage, Stage.STORE, () -> tracers.forEach(SlowDisk::end), after -> after.clientsFelt(DELAY)));
    }

    private static long pid(EtcdServer member) {
        String listens = "--listen-client-urls " + member.endpoint();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(listens))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    private static Process trace(long pid) {
        return start(List.of(
                "strace",
                "--quiet=all",
                "-f",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync,fsync",
                "-e",
                "inject=fdatasync,fsync:delay_enter=" + TimeUnit.MILLISECONDS.toMicros(DELAY.toMillis()),
                "-p",
                Long.toString(pid)));
    }

    /** A tracer that is asked to end lets go of its process; one that is killed does, too. */
    private static void end(Process tracer) {
        tracer.destroy();
        try {
            if (!tracer.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                tracer.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tried on a process of our own. */
    private static boolean works() {
        try {
            Process tried = start(List.of("strace", "--quiet=all", "-f", "-o", "/dev/null", "true"));
            return tried.waitFor(END_LIMIT_SECONDS, TimeUnit.SECONDS) && tried.exitValue() == 0;
        } catch (UncheckedIOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Process start(List<String> command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
