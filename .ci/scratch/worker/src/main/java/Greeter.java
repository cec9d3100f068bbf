// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.time.Duration;

/** Greets whom a job names, and lets the job run for a moment, so that it is seen. Argument: etcd's address. */
public class Greeter {
    public static void main(String[] args) throws InterruptedException {
        HeadmastWorker worker = HeadmastWorker.builder(WorkerContext.builder().etcdEndpoints(args[0]).build())
                .handler("greetings", context -> {
                    System.out.println("hello " + context.job().payload().toText());
                    context.awaitCancellation(Duration.ofSeconds(3));
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        worker.awaitTermination();
    }
}
