// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The wall clock of a worker jumps ahead, and back again; its monotonic clock is left alone. Needs libfaketime.
 *
 * <p>The worker can't tell a jump ahead from a machine that was suspended, so it has to fence itself.
 */
public final class StepClock implements Fault {
    @Override
    public String name() {
        return "step-clock";
    }

    @Override
    public boolean suits(Members etcd) {
        return library().isPresent();
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(1, 8);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        if (!stage.troubled().add(Stage.SHIFTED)) {
            return Optional.empty();
        }
        shift(stage.clock(), random.nextInt(5, 3600));
        return Optional.of(new Occurrence(
                stage,
                Stage.SHIFTED,
                () -> shift(stage.clock(), 0),
                after -> after.registrationChanged(Stage.SHIFTED)));
    }

    /** Sets the offset that a process with {@link #environment} has. */
    public static void shift(Path clock, int seconds) {
        try {
            Path next = clock.resolveSibling(clock.getFileName() + ".next");
            Files.writeString(next, "+" + seconds + "\n");
            Files.move(next, clock, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With these variables a process takes the offset of its wall clock from a file; none without the library. */
    public static Map<String, String> environment(Path clock) {
        return library()
                .map(library -> Map.of(
                        "LD_PRELOAD",
                        library.toString(),
                        "FAKETIME_TIMESTAMP_FILE",
                        clock.toString(),
                        "FAKETIME_CACHE_DURATION",
                        "1",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1"))
                .orElse(Map.of());
    }

    private static Optional<Path> library() {
        return Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib")
                .map(directory -> Path.of(directory, "faketime", "libfaketimeMT.so.1"))
                .filter(Files::exists)
                .findFirst();
    }
}
