// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.embed;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.WorkerContext;
import java.io.PrintStream;
import java.time.Duration;

/** Runs the jobs of domain {@code greetings} that headmast places on it, until the process is told to end. */
public final class Host {
    private Host() {}

    /** Takes no arguments; etcd is on this machine. */
    public static void main(String[] args) throws InterruptedException {
        HeadmastWorker worker = HeadmastWorker.builder(
                        WorkerContext.builder().workerId("app-1").build())
                .handler("greetings", context -> greet(context, System.out))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        worker.awaitTermination();
    }

    /** Has a thread of its own for as long as the job runs. Returning means that the job is done, throwing that it failed. */
    static void greet(JobContext context, PrintStream out) throws InterruptedException {
        do {
            out.println("hello " + context.job().payload().toText() + " (epoch " + context.epoch() + ")");
        } while (!context.awaitCancellation(Duration.ofSeconds(1)));
    }
}
