// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Names;
import io.headmast.api.Worker;
import io.headmast.api.json.DurationText;
import io.headmast.core.agent.Session;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker inside a host application: it registers, takes the jobs that are placed on it, and runs them by the
 * handlers it was given.
 *
 * <pre>{@code
 * HeadmastWorker worker = HeadmastWorker.builder(WorkerContext.builder().workerId("w-1").build())
 *         .handler("chains", context -> runChain(context))
 *         .start();
 * }</pre>
 *
 * <p>Nothing runs before {@link Builder#start()}; all threads are daemons. Thread-safe. When the worker can't confirm
 * its lease it stops its jobs before the lease can lapse, and registers anew when the store is back; the host is told
 * through {@link Builder#onOwnershipLost}.
 */
public final class HeadmastWorker implements AutoCloseable {
    /** Stands for every domain that has no handler of its own. */
    static final String ANY_DOMAIN = "";

    private static final Logger LOG = LoggerFactory.getLogger(HeadmastWorker.class);
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final WorkerContext context;
    private final Keys keys;
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

    private HeadmastWorker(Builder builder, WorkerHome home) {
        this.context = builder.context;
        this.home = home;
        this.keys = new Keys(context.prefix());
        this.ownershipLost = builder.ownershipLost;
        this.ownsStore = builder.store == null;
        this.self = describe(builder, home);
        this.store = builder.store != null ? builder.store : new JetcdStore(JetcdOptions.of(context.etcdEndpoints()));
        this.agentLoop = new ThreadLoop("headmast-agent-" + self.id());
        this.heartbeatLoop = new ThreadLoop("headmast-heartbeat-" + self.id());
        this.units = new HandlerUnitManager(new HandlerUnitManager.Handlers(
                builder.blocking,
                builder.lifecycle,
                context.limits().handlerThreads(),
                context.limits().stopPatience()));
        this.registration = new Registration(
                store, heartbeatLoop, keys, new Registration.Settings(self, context.leaseTtl()), new Presence());
        this.agent = new Agent(
                Agent.source(store, agentLoop, keys, self.id()), keys, self.id(), units, registration::allEnded);
    }

    public static Builder builder(WorkerContext context) {
        return new Builder(context);
    }

    public String id() {
        return self.id();
    }

    /** What every assignment of this worker begins with in the store; the seed's {@code WorkingPath}. */
    public String workingPath() {
        return keys.workingPath(self.id());
    }

    /** What every kill order for this worker begins with in the store; the seed's {@code KillerPath}. */
    public String killerPath() {
        return keys.killerPath(self.id());
    }

    /** Whether it is registered and its lease is known to hold: for health checks. */
    public boolean isRunning() {
        LeaseKeeper held = lease;
        return held != null && held.isSafe();
    }

    /** The jobs whose work is going on, by ascending id. */
    public List<String> runningJobs() {
        CompletableFuture<List<String>> jobs = new CompletableFuture<>();
        try {
            agentLoop.execute(() -> jobs.complete(agent.state().launchedJobs()));
        } catch (RejectedExecutionException e) {
            // It was closed.
            return List.of();
        }
        return jobs.join();
    }

    /** Waits until the worker was closed. */
    public void awaitTermination() throws InterruptedException {
        terminated.await();
    }

    /**
     * Stops taking jobs, stops and hands back the running ones, and gives the lease up once the last one has ended.
     * Waits for that up to the context's close limit; if a handler goes on beyond it, the lease is left to lapse by
     * itself, so that its job doesn't start elsewhere before.
     */
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

    private void begin() {
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

    private static Worker describe(Builder builder, WorkerHome home) {
        WorkerContext context = builder.context;
        Set<String> domains = new TreeSet<>(context.domains());
        if (domains.isEmpty()) {
            domains.addAll(builder.blocking.keySet());
            domains.addAll(builder.lifecycle.keySet());
            if (domains.contains(ANY_DOMAIN)) {
                domains.clear();
            }
        }
        return new Worker(
                home.workerId(),
                Names.random(),
                home.identity(),
                LocalMachine.describe(context.metadata(), context.publicIp()),
                domains,
                context.capacity(),
                OptionalDouble.empty(),
                false,
                Instant.now(),
                List.of(),
                List.of());
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

    /** Builds workers; not thread-safe. */
    public static final class Builder {
        private final WorkerContext context;
        private final Map<String, JobHandler> blocking = new LinkedHashMap<>();
        private final Map<String, LifecycleHandler> lifecycle = new LinkedHashMap<>();
        private Consumer<String> ownershipLost = reason -> {};
        private @Nullable Function<String, JobHandler> anyFactory;
        private @Nullable KeyValueStore store;

        private Builder(WorkerContext context) {
            this.context = context;
        }

        /** Runs the jobs of a domain on a thread each. */
        public Builder handler(String domain, JobHandler handler) {
            requireFree(Names.require("domain", domain));
            blocking.put(domain, handler);
            return this;
        }

        /** Starts and stops the jobs of a domain. */
        public Builder handler(String domain, LifecycleHandler handler) {
            requireFree(Names.require("domain", domain));
            lifecycle.put(domain, handler);
            return this;
        }

        /** Runs the jobs of every domain that has no handler of its own on a thread each. */
        public Builder handler(JobHandler handler) {
            requireFree(ANY_DOMAIN);
            blocking.put(ANY_DOMAIN, handler);
            return this;
        }

        /** Starts and stops the jobs of every domain that has no handler of its own. */
        public Builder handler(LifecycleHandler handler) {
            requireFree(ANY_DOMAIN);
            lifecycle.put(ANY_DOMAIN, handler);
            return this;
        }

        /**
         * The seed's {@code RetrieveJobs}: the host gets each job that it is to run, with status {@code created}, and
         * the same job with status {@code killed} when it is to stop it, and does the rest itself.
         *
         * @param jobs must not return from a killed one before that job has stopped
         * @param errors is told when ownership of all jobs is lost
         */
        public Builder retrieveJobs(Consumer<Job> jobs, Consumer<Throwable> errors) {
            onOwnershipLost(reason -> errors.accept(new HeadmastException.Unavailable(reason)));
            return handler(new LifecycleHandler() {
                @Override
                public void start(JobContext run) {
                    jobs.accept(run.job());
                }

                @Override
                public void stop(JobContext run) {
                    jobs.accept(run.job().toBuilder().status(JobStatus.KILLED).build());
                }
            });
        }

        /**
         * Runs the jobs of every domain that has no handler of its own on a thread each, by a handler that is made when
         * the worker's lock is held and before it registers: the moment to end what a predecessor has left behind.
         *
         * @param factory gets an identity that is the same for every process on the worker's data directory
         */
        public Builder handlerFactory(Function<String, JobHandler> factory) {
            requireFree(ANY_DOMAIN);
            anyFactory = factory;
            return this;
        }

        /** Is told why all jobs were stopped; called on the heartbeat's thread, so it must return at once. */
        public Builder onOwnershipLost(Consumer<String> callback) {
            ownershipLost = callback;
            return this;
        }

        /** A store to use instead of connecting to the context's endpoints; it is not closed by the worker. */
        public Builder store(KeyValueStore value) {
            store = value;
            return this;
        }

        /**
         * Starts the worker and waits until it is registered.
         *
         * @throws HeadmastException.Conflict if a live worker has that id
         * @throws HeadmastException.Unavailable if the store can't be reached within the context's start limit
         * @throws HeadmastException.Invalid if there is no handler, or the data directory can't be used
         */
        public HeadmastWorker start() {
            if (blocking.isEmpty() && lifecycle.isEmpty() && anyFactory == null) {
                throw new HeadmastException.Invalid("", "a worker needs at least one handler");
            }
            WorkerHome home = WorkerHome.open(context.dataDir(), context.workerId());
            HeadmastWorker worker = in(home);
            worker.begin();
            return worker;
        }

        private HeadmastWorker in(WorkerHome home) {
            try {
                if (anyFactory != null) {
                    String identity = home.identity().isEmpty() ? Names.random() : home.identity();
                    blocking.put(ANY_DOMAIN, anyFactory.apply(identity + "/" + home.workerId()));
                }
                return new HeadmastWorker(this, home);
            } catch (RuntimeException e) {
                home.close();
                throw e;
            }
        }

        private void requireFree(String domain) {
            boolean taken = blocking.containsKey(domain)
                    || lifecycle.containsKey(domain)
                    || (domain.equals(ANY_DOMAIN) && anyFactory != null);
            if (taken) {
                throw new HeadmastException.Invalid(
                        "domain",
                        domain.isEmpty() ? "has a handler for any already" : domain + " has a handler already");
            }
        }
    }
}
