// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Names;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker's data directory: the id it keeps over restarts, and a lock that only one living process holds. Who holds the
 * lock knows that every process that held it before has ended, which the operating system sees to.
 */
final class WorkerHome implements AutoCloseable {
    private final String workerId;
    private final String identity;
    private final @Nullable FileChannel channel;

    private WorkerHome(String workerId, String identity, @Nullable FileChannel channel) {
        this.workerId = workerId;
        this.identity = identity;
        this.channel = channel;
    }

    /**
     * Opens the directory, creating what is missing, and takes the lock.
     *
     * @throws HeadmastException.Conflict if a living process holds it
     * @throws HeadmastException.Invalid if the directory can't be used
     */
    static WorkerHome open(Optional<Path> dataDir, Optional<String> configuredId) {
        if (dataDir.isEmpty()) {
            return new WorkerHome(configuredId.orElseGet(Names::random), "", null);
        }
        Path dir = dataDir.get();
        try {
            Files.createDirectories(dir);
            String id = configuredId.isPresent() ? configuredId.get() : kept(dir.resolve("worker-id"));
            FileChannel channel = lock(dir.resolve(id + ".lock"), id);
            return new WorkerHome(Names.require("workerId", id), kept(dir.resolve("home")), channel);
        } catch (IOException e) {
            throw new HeadmastException.Invalid("dataDir", dir + " can't be used: " + e);
        }
    }

    String workerId() {
        return workerId;
    }

    /** The same for every process on this directory, and no other; empty without a directory. */
    String identity() {
        return identity;
    }

    @Override
    public void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new IllegalStateException("a lock file can't be closed", e);
            }
        }
    }

    private static FileChannel lock(Path file, String id) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new HeadmastException.Conflict("worker " + id + " runs already on this machine (it holds " + file
                    + "); stop it, or give this one another worker id or data directory");
        }
        return channel;
    }

    /** The name in a file, which is made up and written if it isn't there. */
    private static String kept(Path file) throws IOException {
        if (Files.exists(file)) {
            String name = Files.readString(file).strip();
            if (Names.isValid(name)) {
                return name;
            }
        }
        String name = Names.random();
        Path written = Files.createTempFile(file.toAbsolutePath().getParent(), "id", ".new");
        Files.writeString(written, name);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        return name;
    }
}
