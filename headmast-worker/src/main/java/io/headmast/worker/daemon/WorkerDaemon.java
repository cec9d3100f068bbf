// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.core.lease.LeaseTimes;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker as a program: it runs commands, until it is told to end. */
public final class WorkerDaemon implements DaemonCommand.Daemon {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerDaemon.class);
    private static final long START_ABORT_SECONDS = 10;
    private static final Duration TERM_PATIENCE = Duration.ofSeconds(10);

    private final WorkerContext context;
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable HeadmastWorker worker;
    private @Nullable Thread starting;
    private boolean closing;

    WorkerDaemon(WorkerContext context) {
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
            starting = Thread.currentThread();
        }
        try {
            keep(start(context));
            closed.await();
        } catch (HeadmastException e) {
            if (!isClosing()) {
                throw e;
            }
            // It was told to end before it had started.
        } finally {
            started.countDown();
            close();
        }
    }

    /** It may have been told to end while it started. */
    private void keep(HeadmastWorker fresh) {
        synchronized (this) {
            starting = null;
            if (!closing) {
                worker = fresh;
                started.countDown();
                return;
            }
        }
        var unused = Thread.interrupted();
        fresh.close();
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    @Override
    public void close() {
        HeadmastWorker running;
        Thread waiting;
        synchronized (this) {
            closing = true;
            running = worker;
            worker = null;
            waiting = starting;
            starting = null;
        }
        if (waiting != null && waiting != Thread.currentThread()) {
            // It may wait for an etcd that never comes.
            waiting.interrupt();
            awaitStart();
        }
        if (running != null) {
            running.close();
        }
        closed.countDown();
    }

    private void awaitStart() {
        try {
            if (!started.await(START_ABORT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("worker does not give its start up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Starts a worker that runs commands, in this process.
     *
     * @throws HeadmastException if it can't be registered; nothing is left behind then
     */
    public static HeadmastWorker start(WorkerContext context) {
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
