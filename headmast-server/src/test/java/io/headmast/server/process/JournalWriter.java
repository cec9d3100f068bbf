// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.worker.JobContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The journal of one worker, a line to an event: {@code <nanos> start <job> <epoch>}, {@code <nanos> stop <job> <epoch>},
 * and {@code <nanos> awake <since>} after the process stood still since then. A line is there when the call returns.
 */
public final class JournalWriter {
    private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A beat that comes so late tells that the process got no time. */
    private static final long STANDSTILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final FileChannel file;

    JournalWriter(Path file) throws IOException {
        this.file =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    public void started(JobContext run) {
        write(System.nanoTime() + " start " + run.job().id() + " " + run.epoch());
    }

    public void stopped(JobContext run) {
        write(System.nanoTime() + " stop " + run.job().id() + " " + run.epoch());
    }

    void watchStandstills() {
        Thread beat = new Thread(this::beat, "beat");
        beat.setDaemon(true);
        beat.start();
    }

    private void beat() {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BEAT_NANOS);
            long now = System.nanoTime();
            if (now - last > STANDSTILL_NANOS) {
                write(now + " awake " + last);
            }
            last = now;
        }
    }

    private void write(String line) {
        try {
            file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
