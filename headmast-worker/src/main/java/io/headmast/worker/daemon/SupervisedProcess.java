// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A command in a process group of its own, under a small shell that holds the other end of a pipe from this process.
 * Each line through the pipe makes it send TERM to the group; the pipe's end makes it send TERM and soon KILL. The
 * operating system ends the pipe when this process dies, whatever it dies of, so no command outlives its worker.
 */
final class SupervisedProcess {
    /**
     * Signals that are ignored stay so over exec, so they are only after the command was started. Only the command
     * carries the marker: what is found by it is never the supervisor itself.
     */
    private static final String SUPERVISOR = """
            patience=$1; variable=$2; marker=$3; shift 3
            exec 3<&0
            {
              export "$variable=$marker"
              exec "$@" </dev/null 3<&-
            } &
            child=$!
            trap : TERM
            (
              trap '' TERM
              while read -r line <&3; do kill -TERM -$$ 2>/dev/null; done
              kill -TERM -$$ 2>/dev/null
              PATH=/usr/bin:/bin sleep "$patience"
              kill -KILL -$$ 2>/dev/null
            ) </dev/null >/dev/null 2>&1 &
            exec 3<&-
            while :; do
              wait "$child"; code=$?
              kill -0 "$child" 2>/dev/null || exit "$code"
            done
            """;

    /** How often it is looked whether there is still time to be patient. */
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);

    private static final List<String> INHERITED = List.of("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR");

    private final Process process;

    private SupervisedProcess(Process process) {
        this.process = process;
    }

    /**
     * @param identity what the environment says about the job
     * @param marker the variable's value by which the command and its descendants are known
     * @param killPatience how long after the pipe's end the group is killed
     * @throws IOException if the program can't be started at all
     */
    static SupervisedProcess start(CommandSpec spec, Map<String, String> identity, String marker, Duration killPatience)
            throws IOException {
        List<String> line = new ArrayList<>(List.of("setsid", "/bin/sh", "-c", SUPERVISOR, "headmast-unit"));
        line.add(String.format(Locale.ROOT, "%.3f", killPatience.toMillis() / 1000.0));
        line.add(UnitMarker.VARIABLE);
        line.add(marker);
        line.addAll(spec.command());
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        spec.workdir().map(Path::of).map(Path::toFile).ifPresent(builder::directory);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.putAll(spec.env());
        environment.putAll(identity);
        return new SupervisedProcess(builder.start());
    }

    /** Waits for the command's own end and returns its exit code, 128 more than the signal that ended it. */
    int await() throws InterruptedException {
        return process.waitFor();
    }

    /**
     * Ends the command: TERM to its group, and KILL when it has not ended within {@code patience} and the kill patience
     * after that. Interrupts don't cut this short; they are restored.
     *
     * @param mayWait whether there is time for {@code patience}, or only for the kill patience
     */
    int stop(Duration patience, BooleanSupplier mayWait) {
        boolean interrupted = false;
        long until = System.nanoTime() + patience.toNanos();
        if (mayWait.getAsBoolean()) {
            send("TERM\n");
        }
        while (process.isAlive() && mayWait.getAsBoolean() && until - System.nanoTime() > 0) {
            interrupted |= waitQuietly(LOOK_EVERY);
        }
        closePipe();
        while (process.isAlive()) {
            interrupted |= waitQuietly(Duration.ofSeconds(1));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return process.exitValue();
    }

    /** Whether the wait was interrupted. */
    private boolean waitQuietly(Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        while (process.isAlive() && until - System.nanoTime() > 0) {
            try {
                if (process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    return interrupted;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted;
    }

    private void send(String line) {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write(line.getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            // The supervisor has ended, and with it what it watched.
            return;
        }
    }

    private void closePipe() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // As above: there is nobody left to tell.
            return;
        }
    }
}
