// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks the processes of a worker by a variable in their environment, which their descendants inherit, also those that
 * left their process group. So what is left of a job, or of a worker that was killed, is found and ended (on Linux,
 * which shows environments under {@code /proc}).
 */
final class UnitMarker {
    static final String VARIABLE = "HEADMAST_UNIT";

    private static final Logger LOG = LoggerFactory.getLogger(UnitMarker.class);
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_ROUNDS = 100;
    private static final long PAUSE_NANOS = 20_000_000;

    private final String worker;

    /** @param worker the same for a worker and its successor on the same data directory, and no other */
    UnitMarker(String worker) {
        this.worker = worker;
    }

    /** The variable's value for a unit. */
    String of(String unit) {
        return worker + "/" + unit;
    }

    /** Ends every process of this worker, of whatever unit. */
    void endAll() {
        end(worker + "/");
    }

    /** Ends every process of a unit. */
    void endAll(String unit) {
        end(of(unit) + '\0');
    }

    /** A process may start another while it is looked for, so it is looked again until none is found. */
    private void end(String beginning) {
        byte[] wanted = (VARIABLE + "=" + beginning).getBytes(StandardCharsets.UTF_8);
        // An interrupt that is pending would make the pauses none.
        boolean interrupted = Thread.interrupted();
        try {
            Set<Long> told = new HashSet<>();
            for (int round = 0; round < MAX_ROUNDS; round++) {
                List<ProcessHandle> found = ProcessHandle.allProcesses()
                        .filter(process -> carries(process.pid(), wanted))
                        .toList();
                if (found.isEmpty()) {
                    return;
                }
                for (ProcessHandle process : found) {
                    if (told.add(process.pid())) {
                        LOG.info(
                                "ends a leftover process pid={} marker={}", process.pid(), beginning.replace("\0", ""));
                    }
                    process.destroyForcibly();
                }
                LockSupport.parkNanos(PAUSE_NANOS);
                interrupted |= Thread.interrupted();
            }
            LOG.error("leftover processes can't be ended marker={}", beginning.replace("\0", ""));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether a variable of the process's environment begins like that. */
    private static boolean carries(long pid, byte[] wanted) {
        byte[] environment;
        try {
            environment = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("environ"));
        } catch (IOException e) {
            // It has ended, or belongs to somebody else, and then it isn't ours.
            return false;
        }
        for (int at = 0; at + wanted.length <= environment.length; at = next(environment, at)) {
            if (Arrays.equals(environment, at, at + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    private static int next(byte[] environment, int at) {
        int next = at;
        while (next < environment.length && environment[next] != 0) {
            next++;
        }
        return next + 1;
    }
}
