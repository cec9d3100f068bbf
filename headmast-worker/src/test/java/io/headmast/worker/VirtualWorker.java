// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.core.agent.AgentState;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** A worker's process without threads: all that a worker is made of, on loops and handlers that a simulation gives. */
public final class VirtualWorker {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final WorkerCore core;

    /** What is told of the worker, on its loops. */
    public interface Watcher {
        void registered();

        void refused(HeadmastException why);

        /** Its lease isn't safe any more, and everything was told to stop. */
        void fenced(String reason);

        /** It decided to start a job. */
        void starts(Job job, long epoch, int attempt);
    }

    /**
     * Who it is.
     *
     * @param keys where it registers
     * @param self what it registers
     * @param ttl of its lease
     */
    public record Identity(Keys keys, Worker self, Duration ttl) {}

    /**
     * What it runs on.
     *
     * @param agent the loop it works on
     * @param heartbeat the loop it is present by
     * @param handlers times its handlers
     * @param mirror how it follows the store
     */
    public record Loops(EventLoop agent, EventLoop heartbeat, EventLoop handlers, MirrorOptions mirror) {}

    /**
     * What runs its jobs.
     *
     * @param handler of every domain
     * @param threads runs the handler's calls
     * @param flaw how its units differ from the production ones
     */
    public record Work(LifecycleHandler handler, Executor threads, UnitFlaw flaw) {}

    public VirtualWorker(Identity who, KeyValueStore store, Loops loops, Work work, Watcher watcher) {
        HandlerUnitManager.Handlers handlers = new HandlerUnitManager.Handlers(
                Map.of(), Map.of(HeadmastWorker.ANY_DOMAIN, work.handler()), 1, STOP_PATIENCE);
        UnitManager units = work.flaw().of(new HandlerUnitManager(handlers, new LoopThreads(loops.handlers(), work)));
        core = new WorkerCore(
                new WorkerCore.Identity(who.keys(), who.self(), who.ttl()),
                store,
                new WorkerCore.Means(loops.agent(), loops.heartbeat(), loops.mirror()),
                new Watched(units, watcher),
                new ToldHost(watcher));
    }

    public void start() {
        core.start();
    }

    /** Hands everything back and gives the lease up. */
    public CompletableFuture<Void> close() {
        return core.handBack().thenCompose(done -> core.leave()).thenRun(core::shutDown);
    }

    /** Whether it is registered on a lease that is safe. */
    public boolean isRunning() {
        return core.isRunning();
    }

    public AgentState agentState() {
        return core.agentState();
    }

    private record LoopThreads(EventLoop loop, Work work) implements HandlerThreads {
        @Override
        public Executor blocking() {
            throw new IllegalStateException("a blocking handler needs a thread");
        }

        @Override
        public Executor lifecycle() {
            return work.threads();
        }

        @Override
        public void later(Duration pause, Runnable task) {
            var unused = loop.schedule(pause, task);
        }

        @Override
        public void close(boolean idle) {}
    }

    private record ToldHost(Watcher watcher) implements WorkerCore.Host {
        @Override
        public void registered() {
            watcher.registered();
        }

        @Override
        public void refused(HeadmastException why) {
            watcher.refused(why);
        }

        @Override
        public void ownershipLost(String reason) {
            watcher.fenced(reason);
        }
    }

    /** Tells of what the agent decides to start. */
    private record Watched(UnitManager units, Watcher watcher) implements UnitManager {
        @Override
        public Optional<String> refusal(Job job) {
            return units.refusal(job);
        }

        @Override
        public void start(JobContext.Run run, BooleanSupplier leaseIsSafe, Events events) {
            watcher.starts(run.job(), run.epoch(), run.attempt());
            units.start(run, leaseIsSafe, events);
        }

        @Override
        public void stop(String jobId, long epoch, String reason) {
            units.stop(jobId, epoch, reason);
        }

        @Override
        public void stopAll(String reason) {
            units.stopAll(reason);
        }

        @Override
        public boolean awaitIdle(Duration limit) throws InterruptedException {
            return units.awaitIdle(limit);
        }

        @Override
        public void close() {
            units.close();
        }
    }
}
