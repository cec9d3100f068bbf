// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.fencing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Accounts in a directory, a file each, shared by all processes of a machine. Thread-safe.
 *
 * <p>With each account stands the highest epoch that has written to it. A write with a lower one is refused: that run was
 * superseded, whatever it believes. Comparing and writing are one step, under one lock; apart they would be worth nothing.
 */
final class Ledger {
    private final Path directory;

    Ledger(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    /** An account as it stands; one that nobody has written to has neither epoch nor balance. */
    record Account(long epoch, long balance) {}

    /**
     * Adds an amount to an account.
     *
     * @return whether it was added; if not, a later run owns the account, and this one should end
     */
    synchronized boolean book(String account, long epoch, long amount) throws IOException {
        // The object's lock is for threads, the file's for other processes.
        try (FileChannel file = FileChannel.open(directory.resolve(account), CREATE, READ, WRITE)) {
            FileLock lock = file.lock();
            try {
                Account now = read(file);
                if (epoch < now.epoch()) {
                    return false;
                }
                write(file, new Account(epoch, now.balance() + amount));
                return true;
            } finally {
                lock.release();
            }
        }
    }

    synchronized Account account(String account) throws IOException {
        try (FileChannel file = FileChannel.open(directory.resolve(account), CREATE, READ, WRITE)) {
            FileLock lock = file.lock();
            try {
                return read(file);
            } finally {
                lock.release();
            }
        }
    }

    private static Account read(FileChannel file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        return file.read(bytes, 0) == bytes.capacity()
                ? new Account(bytes.getLong(0), bytes.getLong(Long.BYTES))
                : new Account(0, 0);
    }

    private static void write(FileChannel file, Account account) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
        file.write(bytes.putLong(account.epoch()).putLong(account.balance()).flip(), 0);
        file.force(false);
    }
}
