// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import io.headmast.worker.WorkerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A host application in a process of its own: its jobs only write down when they start and stop. What was written
 * survives a kill -9, and the monotonic clock is the machine's, so the journals of several processes can be merged.
 *
 * <p>Arguments: endpoints, prefix, worker id, TTL in milliseconds, data directory, journal.
 */
public final class JournalingWorker {
    private JournalingWorker() {}

    public static void main(String[] args) throws Exception {
        FileChannel journal = FileChannel.open(
                Path.of(args[5]), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        WorkerContext context = WorkerContext.builder()
                .etcdEndpoints(args[0].split(",", -1))
                .prefix(args[1])
                .workerId(args[2])
                .leaseTtl(Duration.ofMillis(Long.parseLong(args[3])))
                .dataDir(Path.of(args[4]))
                .build();
        HeadmastWorker worker = HeadmastWorker.builder(context)
                .handler(new LifecycleHandler() {
                    @Override
                    public void start(JobContext run) throws IOException {
                        write(journal, "start", run);
                    }

                    @Override
                    public void stop(JobContext run) throws IOException {
                        write(journal, "stop", run);
                    }
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        worker.awaitTermination();
    }

    private static void write(FileChannel journal, String what, JobContext run) throws IOException {
        String line = System.nanoTime() + " " + what + " " + run.job().id() + " " + run.epoch() + "\n";
        journal.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
    }
}
