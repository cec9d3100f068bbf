// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.api.json.DurationText;
import io.headmast.core.agent.Session;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
    private final Agent agent;
    private final Registration registration;
    private final Consumer<String> ownershipLost;
    private final CompletableFuture<Void> registered = new CompletableFuture<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private volatile @Nullable LeaseKeeper lease;
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
        this.ownershipLost = parts.ownershipLost();
        Keys keys = new Keys(context.prefix());
        this.agentLoop = new ThreadLoop("headmast-agent-" + self.id());
        this.heartbeatLoop = new ThreadLoop("headmast-heartbeat-" + self.id());
        this.registration = new Registration(
                store, heartbeatLoop, new Registration.Settings(keys, self, context.leaseTtl()), new Presence());
        this.agent = new Agent(
                Agent.source(store, agentLoop, keys, self.id()), keys, self.id(), units, registration::allEnded);
    }

    boolean isRunning() {
        LeaseKeeper held = lease;
        return held != null && held.isSafe();
    }

    List<String> runningJobs() {
        CompletableFuture<List<String>> jobs = new CompletableFuture<>();
        try {
            agentLoop.execute(() -> jobs.complete(agent.state().launchedJobs()));
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
            await("give its lease up", registration.close());
        } else {
            endWithoutStore(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
        lease = null;
        agent.shutDown();
        units.close();
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
        // In that order: when all has ended, nothing is registered anew; and what stops isn't started again.
        registration.abandon();
        agent.sessionEnded();
        units.stopAll("the worker closes");
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
        if (!isRunning()) {
            return false;
        }
        CompletableFuture<Void> empty = registration
                .update(self.withClosing(true))
                .thenCompose(revision -> {
                    CompletableFuture<Void> done = new CompletableFuture<>();
                    agent.close(revision, () -> done.complete(null));
                    return done;
                });
        return await("hand its jobs back", empty);
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
        agent.start();
        registration.start();
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

    private final class Presence implements Registration.Owner {
        @Override
        public void registered(Session session, LeaseKeeper keeper) {
            lease = keeper;
            agent.sessionBegun(session, keeper);
            registered.complete(null);
        }

        @Override
        public void fenced(String reason) {
            // On the heartbeat's own thread, so that a busy agent delays nothing.
            // The agent first, so that nothing that stops now is started again.
            agent.sessionEnded();
            units.stopAll("the worker lost its lease: " + reason);
            try {
                ownershipLost.accept(reason);
            } catch (RuntimeException e) {
                LOG.error("the host's callback failed", e);
            }
        }

        @Override
        public void refused(HeadmastException why) {
            registered.completeExceptionally(why);
        }
    }
}
