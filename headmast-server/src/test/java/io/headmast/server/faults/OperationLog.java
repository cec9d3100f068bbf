// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.server.faults.check.Operation;
import io.headmast.server.faults.check.OperationLines;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The history of the clients, written as it happens. Thread-safe. */
final class OperationLog implements AutoCloseable {
    private final Path file;
    private final BufferedWriter writer;
    private long lastId;

    OperationLog(Path file) {
        this.file = file;
        try {
            this.writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes that an operation is about to be sent. */
    synchronized long invoke(Operation.Kind kind, String job) {
        long id = ++lastId;
        write(OperationLines.invoke(id, kind, job, System.nanoTime()));
        return id;
    }

    /** Notes what came of it. */
    synchronized void outcome(long id, Operation.Outcome outcome, String detail) {
        write(OperationLines.outcome(id, System.nanoTime(), outcome, detail));
    }

    /** The lines so far. */
    synchronized List<String> lines() {
        try {
            writer.flush();
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String line) {
        try {
            writer.write(line);
            writer.newLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
