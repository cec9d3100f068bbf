// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.api.json.DurationText;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes on inside a {@link HeadmastWorker}: its loops, and what they own. Thread-safe. */
final class WorkerRuntime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerRuntime.class);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final WorkerContext context;
    private final WorkerHome home;
    private final KeyValueStore store;
    private final boolean ownsStore;
    private final Worker self;
    private final ThreadLoop agentLoop;
    private final ThreadLoop heartbeatLoop;
    private final UnitManager units;
    private final WorkerCore core;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private boolean closed;

    /** What a worker is made of; all of it ends with the worker, but for a store that is the host's. */
    record Parts(
            WorkerHome home,
            UnitManager units,
            KeyValueStore store,
            boolean ownsStore,
            Consumer<String> ownershipLost) {}

    WorkerRuntime(WorkerContext context, Worker self, Parts parts) {
        this.context = context;
        this.self = self;
        this.home = parts.home();
        this.units = parts.units();
        this.store = parts.store();
        this.ownsStore = parts.ownsStore();
        this.agentLoop = new ThreadLoop("headmast-agent-" + self.id());
        this.heartbeatLoop = new ThreadLoop("headmast-heartbeat-" + self.id());
        this.core = new WorkerCore(
                new WorkerCore.Identity(new Keys(context.prefix()), self, context.leaseTtl()),
                store,
                new WorkerCore.Means(agentLoop, heartbeatLoop, MirrorOptions.standard(new Random())),
                units,
                new Host(parts.ownershipLost()));
    }

    boolean isRunning() {
        return core.isRunning();
    }

    List<String> runningJobs() {
        CompletableFuture<List<String>> jobs = new CompletableFuture<>();
        try {
            agentLoop.execute(() -> jobs.complete(core.agentState().launchedJobs()));
        } catch (RejectedExecutionException e) {
            // It was closed.
            return List.of();
        }
        return jobs.join();
    }

    void awaitTermination() throws InterruptedException {
        terminated.await();
    }

    /** See {@link HeadmastWorker#close()}. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        long until = System.nanoTime() + context.limits().closeLimit().toNanos();
        boolean handedBack = handBack();
        if (handedBack) {
            await("give its lease up", core.leave());
        } else {
            endWithoutStore(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
        core.shutDown();
        agentLoop.close();
        heartbeatLoop.close();
        if (ownsStore) {
            store.close();
        }
        leaveHome();
        terminated.countDown();
        LOG.info("closed worker={}", self.id());
    }

    /** Nothing can be handed back: everything stops, and the lease lapses by itself. */
    private void endWithoutStore(Duration limit) {
        core.abandon("the worker closes");
        if (!awaitIdle(limit)) {
            LOG.warn("jobs did not stop in time worker={} jobs={}", self.id(), runningJobs());
        }
    }

    private boolean awaitIdle(Duration limit) {
        try {
            return units.awaitIdle(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Gives up the lock that proves to a successor that nothing runs: when that is so. */
    private void leaveHome() {
        if (awaitIdle(Duration.ZERO)) {
            home.close();
            return;
        }
        Thread last = new Thread(
                () -> {
                    if (awaitIdle(FOR_EVER)) {
                        home.close();
                    }
                },
                "headmast-home-" + self.id());
        last.setDaemon(true);
        last.start();
    }

    /** Whether nothing of this worker runs any more and nothing is assigned to it. */
    private boolean handBack() {
        return isRunning() && await("hand its jobs back", core.handBack());
    }

    private boolean await(String what, CompletableFuture<Void> done) {
        try {
            done.get(context.limits().closeLimit().toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("worker could not {} worker={} cause={}", what, self.id(), e.toString());
        }
        return false;
    }

    /**
     * Registers, and waits for that; when it fails nothing is left behind.
     *
     * @throws HeadmastException if it can't be registered
     */
    void begin() {
        core.start();
        try {
            registered.get(context.limits().startLimit().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw giveUp(new HeadmastException.Unavailable("interrupted while the worker registered"));
        } catch (TimeoutException e) {
            throw giveUp(new HeadmastException.Unavailable("worker " + self.id() + " could not register within "
                    + DurationText.format(context.limits().startLimit()) + "; is etcd reachable at "
                    + String.join(",", context.etcdEndpoints()) + "?"));
        } catch (ExecutionException e) {
            throw giveUp(
                    e.getCause() instanceof HeadmastException known
                            ? known
                            : new HeadmastException.Internal(String.valueOf(e.getCause())));
        }
    }

    private HeadmastException giveUp(HeadmastException why) {
        close();
        return why;
    }

    private final class Host implements WorkerCore.Host {
        private final Consumer<String> lost;

        Host(Consumer<String> lost) {
            this.lost = lost;
        }

        @Override
        public void registered() {
            registered.complete(null);
        }

        @Override
        public void refused(HeadmastException why) {
            registered.completeExceptionally(why);
        }

        @Override
        public void ownershipLost(String reason) {
            try {
                lost.accept(reason);
            } catch (RuntimeException e) {
                LOG.error("the host's callback failed", e);
            }
        }
    }
}
