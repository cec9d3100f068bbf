// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import io.headmast.worker.WorkerContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/**
 * A host application in a process of its own: its jobs only write down when they start and stop. What was written
 * survives a kill -9, and the monotonic clock is the machine's, so the journals of several processes can be merged.
 *
 * <p>Arguments: endpoints, prefix, worker id, TTL in milliseconds, data directory, journal.
 */
public final class JournalingWorker {
    private JournalingWorker() {}

    public static void main(String[] args) throws Exception {
        run(args, JournalingWorker::handler);
    }

    /** Runs a worker whose jobs are handled by what is made of its journal. */
    public static void run(String[] args, Function<JournalWriter, LifecycleHandler> handlers) throws Exception {
        JournalWriter journal = new JournalWriter(Path.of(args[5]));
        journal.watchStandstills();
        WorkerContext context = WorkerContext.builder()
                .etcdEndpoints(args[0].split(",", -1))
                .prefix(args[1])
                .workerId(args[2])
                .leaseTtl(Duration.ofMillis(Long.parseLong(args[3])))
                .dataDir(Path.of(args[4]))
                .build();
        HeadmastWorker worker =
                HeadmastWorker.builder(context).handler(handlers.apply(journal)).start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        worker.awaitTermination();
    }

    /** Jobs that write down what becomes of them, truly. */
    public static LifecycleHandler handler(JournalWriter journal) {
        return new LifecycleHandler() {
            @Override
            public void start(JobContext run) {
                journal.started(run);
            }

            @Override
            public void stop(JobContext run) {
                journal.stopped(run);
            }
        };
    }
}
