// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.api.Payload;
import io.headmast.server.HeadmastService;
import io.headmast.server.ServingOptions;
import io.headmast.server.embedded.EmbeddedStore;
import io.headmast.worker.WorkerContext;
import io.headmast.worker.daemon.DaemonCommand;
import io.headmast.worker.daemon.WorkerDaemon;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A store, a server and workers in one process, as they would run in processes of their own. */
final class DevDaemon implements DaemonCommand.Daemon {
    /** Runs for ten minutes as a process of this machine. */
    private static final String SAMPLE_JOB = "{\"id\":\"hello\",\"domain\":\"demo\",\"payload\":\""
            + Payload.of("{\"command\":[\"sleep\",\"600\"]}").toBase64() + "\"}";

    private final DevOptions options;
    private final PrintWriter out;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What runs, the last to be started first. Guarded by this. */
    private final Deque<Running> running = new ArrayDeque<>();

    private boolean closing;

    /** Something that was started, and how it ends. */
    private interface Running {
        void close();
    }

    DevDaemon(DevOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public void run() throws InterruptedException {
        try {
            if (start()) {
                closed.await();
            }
        } finally {
            close();
        }
    }

    /** The workers first, which hand their jobs back, and the store last. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
        }
        for (Running next = next(); next != null; next = next()) {
            next.close();
        }
        closed.countDown();
    }

    private synchronized @Nullable Running next() {
        return running.poll();
    }

    /** Whether all was started; not if it was told to end meanwhile. */
    private boolean start() {
        EmbeddedStore store = EmbeddedStore.inMemory(options.etcdPort());
        if (!keep(store::close)) {
            return false;
        }
        String endpoint = store.endpoint().toString();
        HeadmastService service = new HeadmastService(ServingOptions.builder()
                .etcdEndpoints(endpoint)
                .port(options.port())
                .schedulePolicy(options.schedulePolicy())
                .build());
        service.start();
        if (!keep(service::close)) {
            return false;
        }
        for (int i = 1; i <= options.workers(); i++) {
            WorkerContext context = WorkerContext.builder()
                    .etcdEndpoints(endpoint)
                    .workerId("dev-" + i)
                    .build();
            if (!keep(WorkerDaemon.start(context)::close)) {
                return false;
            }
        }
        tell(service.address(), endpoint);
        return true;
    }

    /** Whether it goes on; otherwise what was just started ends again. */
    private boolean keep(Running started) {
        synchronized (this) {
            if (!closing) {
                running.push(started);
                return true;
            }
        }
        started.close();
        return false;
    }

    private void tell(URI rest, String endpoint) {
        out.printf("""

                headmast runs, with %1$d worker(s). Ctrl-C ends it.
                  REST   %2$s
                  etcd   %3$s
                  data   in memory, gone when it ends

                Try, in another terminal:
                  curl -s %2$s/api/v1/jobs -H 'Content-Type: application/json' -d '%4$s'
                  curl -s %2$s/api/v1/jobs/hello
                  curl -s -X DELETE '%2$s/api/v1/jobs/hello?wait=10s'
                """, options.workers(), rest, endpoint, SAMPLE_JOB);
        out.flush();
    }
}
