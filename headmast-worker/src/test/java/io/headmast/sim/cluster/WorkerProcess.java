// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Worker;
import io.headmast.core.agent.AgentState;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.testing.PausableLoop;
import io.headmast.worker.VirtualWorker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One life of a worker: registration, agent and units as in production, on three loops. */
public final class WorkerProcess extends ClusterProcess {
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(8);

    private final Worker self;
    private final PausableLoop agentLoop;
    private final PausableLoop handlerLoop;
    private final Handlers handlers = new Handlers(this);
    private final VirtualWorker worker;
    private final Map<String, Long> readAt = new HashMap<>();
    private boolean leaving;
    private boolean stalled;
    private long stalledUntil;
    private @Nullable HeadmastException refusal;

    WorkerProcess(World world, Worker self) {
        super(world, self.id());
        this.self = self;
        this.agentLoop = new PausableLoop(world.time());
        this.handlerLoop = new PausableLoop(world.time());
        KeyValueStore store = world.flaw().store(this, new Link(world, this));
        this.worker = new VirtualWorker(
                new VirtualWorker.Identity(world.keys(), self, World.TTL),
                store,
                new VirtualWorker.Loops(
                        agentLoop,
                        world.flaw().loop(this, loop()),
                        handlerLoop,
                        world.flaw().mirror(world.mirrorOptions())),
                new VirtualWorker.Work(handlers, handlers, world.flaw().units()),
                new Told());
    }

    void start() {
        worker.start();
    }

    @Override
    List<PausableLoop> loops() {
        return List.of(loop(), agentLoop, handlerLoop);
    }

    PausableLoop handlerLoop() {
        return handlerLoop;
    }

    /** The id with the incarnation: what tells its lives apart. */
    public String name() {
        return self.incarnation();
    }

    public Worker self() {
        return self;
    }

    /** What its agent knows. */
    public AgentState agent() {
        return worker.agentState();
    }

    @Override
    public long knows() {
        return agent().revision();
    }

    /** Whether it is registered on a lease that is safe. */
    public boolean isRegistered() {
        return isUp() && worker.isRunning();
    }

    public boolean isLeaving() {
        return leaving;
    }

    @Override
    void answered(Sent sent) {
        for (Op op : sent.txn().success()) {
            if (op instanceof Op.Get get) {
                readAt.put(get.range().from(), sent.at());
            }
        }
    }

    /** When it asked for the job's record that it read last; a very early time if it never did. */
    public long readAt(String jobId) {
        return readAt.getOrDefault(world().keys().job(jobId), Long.MIN_VALUE);
    }

    /** Why it may not register at all. */
    public Optional<HeadmastException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Whether a handler of it ignores for now that it was told to stop. */
    public boolean isStubborn() {
        return handlers.isStubborn();
    }

    /** From now on, or no longer, its handlers take much longer than they may. */
    public void stubborn(boolean value) {
        handlers.stubborn(value);
    }

    /** Its agent alone stands still, or goes on: it waits for the processor, and the heartbeat doesn't. */
    public void stall(boolean value) {
        stalledUntil = world().time().nanoTime() + World.STOP_MARGIN.toNanos();
        stalled = value;
        if (value) {
            agentLoop.pause();
        } else if (!isPaused()) {
            agentLoop.resume();
        }
    }

    @Override
    public void crash() {
        super.crash();
        world().runs().processEnded(this);
    }

    /** Whether its agent stands still alone, or did until just now. */
    public boolean wasStalled() {
        return stalled || world().time().nanoTime() < stalledUntil;
    }

    /** Hands back what it has and ends; after a while it ends all the same. */
    public void leave() {
        if (!leaving && isRegistered()) {
            world().note(name(), "leaves");
            leaving = true;
            var unusedLimit = handlerLoop.schedule(LEAVE_LIMIT, this::exit);
            var unused = worker.close().whenComplete((done, failure) -> exit());
        }
    }

    private void exit() {
        if (isUp()) {
            crash();
        }
    }

    private final class Told implements VirtualWorker.Watcher {
        @Override
        public void registered() {
            world().note(name(), "is registered");
            world().tally().effect("worker registered");
        }

        @Override
        public void refused(HeadmastException why) {
            world().note(name(), "is refused: ", why.getMessage());
            refusal = why;
        }

        @Override
        public void fenced(String reason) {
            world().note(name(), "is fenced: ", reason);
            world().tally().effect(Effects.WORKER_FENCED);
        }

        @Override
        public void starts(Job job, long epoch, int attempt) {
            world().note(name(), "starts ", job.id(), "@", epoch);
            world().happened(listener -> listener.starts(WorkerProcess.this, job, epoch));
        }
    }
}
