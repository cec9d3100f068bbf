// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import io.headmast.worker.WorkerContext;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An application that runs the rule chains that headmast places on it, domain {@code chains}. Start it on several
 * machines, submit chains, kill one of them: its chains go on elsewhere.
 *
 * <p>Arguments: the worker's id and, if it is not on this machine, etcd's address.
 */
public final class RuleChainApplication implements LifecycleHandler, RuleChainHost.Listener {
    private static final String DOMAIN = "chains";
    private static final int THREADS = 4;

    private final RuleChainHost host = new RuleChainHost(THREADS, this);
    private final Map<String, JobContext> runs = new ConcurrentHashMap<>();

    /** Runs until the process is told to end; then the chains are handed over before it does. */
    public static void main(String[] args) throws InterruptedException {
        String id = args.length > 0 ? args[0] : "chains-1";
        String etcd = args.length > 1 ? args[1] : "http://127.0.0.1:2379";
        WorkerContext context = WorkerContext.builder()
                .workerId(id)
                .etcdEndpoints(etcd)
                .dataDir(Path.of(System.getProperty("java.io.tmpdir"), "headmast-" + id))
                .build();
        HeadmastWorker worker = HeadmastWorker.builder(context)
                .handler(DOMAIN, new RuleChainApplication())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
        System.out.printf(Locale.ROOT, "worker %s runs rule chains%n", worker.id());
        worker.awaitTermination();
    }

    @Override
    public void start(JobContext run) {
        String id = run.job().id();
        runs.put(id, run);
        try {
            host.start(id, run.job().payload());
        } catch (RuntimeException e) {
            runs.remove(id);
            throw e;
        }
    }

    @Override
    public void stop(JobContext run) {
        host.stop(run.job().id());
        runs.remove(run.job().id());
    }

    /** What a chain does to the world outside carries the epoch, so that a superseded run can be told apart. */
    @Override
    public void logged(String id, double value) {
        JobContext run = runs.get(id);
        if (run != null && run.isOwner()) {
            System.out.printf(Locale.ROOT, "chain=%s epoch=%d value=%.2f%n", id, run.epoch(), value);
        }
    }

    @Override
    public void failed(String id, RuntimeException why) {
        JobContext run = runs.remove(id);
        if (run != null) {
            run.fail(why.getMessage() == null ? why.toString() : why.getMessage());
        }
    }
}
