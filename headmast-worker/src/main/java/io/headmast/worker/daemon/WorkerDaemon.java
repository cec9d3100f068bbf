// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.core.lease.LeaseTimes;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A worker as a program: it runs commands, until it is told to end. */
public final class WorkerDaemon implements DaemonCommand.Daemon {
    private static final Duration TERM_PATIENCE = Duration.ofSeconds(10);

    private final WorkerContext context;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable HeadmastWorker worker;
    private boolean closing;

    private WorkerDaemon(WorkerContext context) {
        this.context = context;
    }

    /** The command {@code headmast worker}. */
    public static DaemonCommand<WorkerContext> command() {
        return new DaemonCommand<>("headmast worker", WorkerFlags::new, WorkerDaemon::new);
    }

    @Override
    public void run() throws InterruptedException {
        synchronized (this) {
            if (closing) {
                return;
            }
            worker = start();
        }
        try {
            closed.await();
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        HeadmastWorker running;
        synchronized (this) {
            closing = true;
            running = worker;
            worker = null;
        }
        if (running != null) {
            running.close();
        }
        closed.countDown();
    }

    private HeadmastWorker start() {
        // Half of the margin in which a worker has to stop, so that the other half is left for the signals' way.
        Duration killPatience = LeaseTimes.of(context.leaseTtl()).stopMargin().dividedBy(2);
        return HeadmastWorker.builder(context)
                .handlerFactory(identity -> {
                    UnitMarker marker = new UnitMarker(identity);
                    marker.endAll();
                    return new CommandHandler(marker, TERM_PATIENCE, killPatience);
                })
                .start();
    }
}
