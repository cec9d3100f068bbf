// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.fencing;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.WorkerContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * An application that keeps accounts, domain {@code accounts}, in a ledger that fences. Start two of them on one machine
 * and one directory, create a job, and freeze the process that runs it (SIGSTOP) until the other one has taken it over:
 * when it wakes (SIGCONT), the write that it was about to make is refused.
 *
 * <p>Arguments: the worker's id, the ledger's directory and, if it is not on this machine, etcd's address.
 */
public final class LedgerApplication {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private LedgerApplication() {}

    /** Runs until the process is told to end. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 2) {
            System.err.println("arguments: WORKER-ID DIRECTORY [ETCD-ADDRESS]");
            System.exit(2);
        }
        Bookkeeper bookkeeper = new Bookkeeper(new Ledger(Path.of(args[1])), PAUSE);
        WorkerContext context = WorkerContext.builder()
                .workerId(args[0])
                .etcdEndpoints(args.length > 2 ? args[2] : "http://127.0.0.1:2379")
                .leaseTtl(Duration.ofSeconds(5))
                .build();
        HeadmastWorker worker = HeadmastWorker.builder(context)
                .handler("accounts", run -> say(bookkeeper, run))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        worker.awaitTermination();
    }

    private static void say(Bookkeeper bookkeeper, JobContext run) throws IOException, InterruptedException {
        System.out.printf(Locale.ROOT, "owns account=%s epoch=%d%n", run.job().id(), run.epoch());
        try {
            bookkeeper.run(run);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
            throw e;
        }
    }
}
