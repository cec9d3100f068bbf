// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Names;
import io.headmast.api.Worker;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    private final Keys keys;
    private final Worker self;
    private final WorkerRuntime runtime;

    private HeadmastWorker(Builder builder, WorkerHome home) {
        WorkerContext context = builder.context;
        this.keys = new Keys(context.prefix());
        this.self = describe(builder, home);
        boolean ownsStore = builder.store == null;
        KeyValueStore store =
                builder.store != null ? builder.store : new JetcdStore(JetcdOptions.of(context.etcdEndpoints()));
        UnitManager units = new HandlerUnitManager(new HandlerUnitManager.Handlers(
                builder.blocking,
                builder.lifecycle,
                context.limits().handlerThreads(),
                context.limits().stopPatience()));
        this.runtime = new WorkerRuntime(
                context, self, new WorkerRuntime.Parts(home, units, store, ownsStore, builder.ownershipLost));
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
        return runtime.isRunning();
    }

    /** The jobs whose work is going on, by ascending id. */
    public List<String> runningJobs() {
        return runtime.runningJobs();
    }

    /** Waits until the worker was closed. */
    public void awaitTermination() throws InterruptedException {
        runtime.awaitTermination();
    }

    /**
     * Stops taking jobs, stops and hands back the running ones, and gives the lease up once the last one has ended.
     * Waits for that up to the context's close limit; if a handler goes on beyond it, the lease is left to lapse by
     * itself, so that its job doesn't start elsewhere before.
     */
    @Override
    public void close() {
        runtime.close();
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
            worker.runtime.begin();
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
