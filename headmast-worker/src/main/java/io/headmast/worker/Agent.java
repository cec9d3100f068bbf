// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Assignment;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.json.Json;
import io.headmast.core.agent.AgentPlanner;
import io.headmast.core.agent.AgentState;
import io.headmast.core.agent.Ending;
import io.headmast.core.agent.Session;
import io.headmast.core.agent.Task;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.mirror.Mirror;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.mirror.MirrorSource;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's loop: gather (a mirror of what lies under the worker's own key), decide ({@link AgentPlanner}), act (unit
 * manager and store). The seed's {@code Agent} and {@code EventHandler}; events only wake it.
 *
 * <p>It belongs to its loop, except where a method says otherwise.
 */
final class Agent implements UnitManager.Events {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    private final EventLoop loop;
    private final Keys keys;
    private final String workerId;
    private final UnitManager units;
    private final AgentState state = new AgentState();
    private final AgentPlanner planner = new AgentPlanner(state);
    private final Mirror<Optional<?>> mirror;
    private final AgentStore records;
    private final Runnable idle;
    private final ConcurrentMap<Placement, String> progress = new ConcurrentHashMap<>();
    private @Nullable LeaseKeeper keeper;
    private @Nullable Runnable whenEmpty;
    private long emptyFrom;
    private boolean fenced;
    private boolean awake;
    private EventLoop.Timer timer = () -> {};

    private record Placement(String jobId, long epoch) {}

    /**
     * What an agent works with.
     *
     * @param idle called on the loop once everything has ended after a fence
     */
    record Parts(UnitManager units, Runnable idle, MirrorOptions mirror) {}

    Agent(MirrorSource source, Keys keys, String workerId, Parts parts) {
        this.loop = source.loop();
        this.keys = keys;
        this.workerId = workerId;
        this.units = parts.units();
        this.idle = parts.idle();
        this.records = new AgentStore(source.store(), loop, keys, workerId);
        this.mirror = new Mirror<>(source, new AgentProjection(keys), parts.mirror(), this::moved);
    }

    /** What an agent mirrors. */
    static MirrorSource source(KeyValueStore store, EventLoop loop, Keys keys, String workerId) {
        return new MirrorSource(store, KeyRange.prefix(keys.workerTree(workerId)), loop);
    }

    /** Begins to follow the store; from any thread. */
    void start() {
        loop.execute(mirror::start);
    }

    /** Acts on that registration from now on; from any thread. */
    void sessionBegun(Session session, LeaseKeeper held) {
        loop.execute(() -> {
            keeper = held;
            fenced = false;
            state.sessionBegun(session);
            if (mirror.revision() < session.begunAt()) {
                // Nothing under this worker's key may have changed, and then no event would tell.
                mirror.resync("registered");
            }
            wake();
        });
    }

    /** The lease is not safe any more; from any thread. The units were told to stop already. */
    void sessionEnded() {
        loop.execute(() -> {
            fenced = true;
            keeper = null;
            state.sessionEnded();
            wake();
        });
    }

    /**
     * Hands everything back and takes nothing more; from any thread.
     *
     * @param from a revision after which nothing new is assigned
     * @param done called on the loop once nothing is assigned as of that revision, and nothing runs
     */
    void close(long from, Runnable done) {
        loop.execute(() -> {
            state.close();
            emptyFrom = from;
            whenEmpty = done;
            mirror.resync("closing");
            wake();
        });
    }

    /** Stops following; from any thread. */
    void shutDown() {
        loop.execute(() -> {
            mirror.close();
            timer.cancel();
        });
    }

    /** What it should and does run, for a look from outside; call on the loop. */
    AgentState state() {
        return state;
    }

    @Override
    public void started(String jobId, long epoch) {
        change(() -> state.started(jobId, epoch));
    }

    @Override
    public void progressed(String jobId, long epoch, String text) {
        // However often a handler says it, one task waits on the loop.
        Placement run = new Placement(jobId, epoch);
        if (progress.put(run, text) == null) {
            change(() -> state.progressed(jobId, epoch, Objects.requireNonNull(progress.remove(run))));
        }
    }

    @Override
    public void stuck(String jobId, long epoch, String reason) {
        change(() -> state.stuck(jobId, epoch, reason));
    }

    @Override
    public void ended(String jobId, long epoch, Ending ending) {
        LOG.info("ended job={} epoch={} how={} reason={}", jobId, epoch, ending.kind(), Json.quote(ending.reason()));
        change(() -> state.ended(jobId, epoch, ending));
    }

    /** Changes the state on the loop, and looks what follows. */
    private void change(Runnable change) {
        try {
            loop.execute(() -> {
                change.run();
                wake();
            });
        } catch (RejectedExecutionException e) {
            LOG.warn("a job outlived its worker, which hears of it no more worker={}", workerId);
        }
    }

    private void wake() {
        if (!awake) {
            awake = true;
            loop.execute(this::round);
        }
    }

    private void moved(long revision, List<Difference<Optional<?>>> differences) {
        differences.forEach(this::tell);
        state.advance(revision);
        wake();
    }

    private void tell(Difference<Optional<?>> difference) {
        Keys.Name name = keys.parse(difference.key()).orElseThrow();
        Optional<Entry<Optional<?>>> entry = difference.after();
        Optional<?> value = entry.flatMap(Entry::value);
        if (name instanceof Keys.Name.OfAssignment of) {
            state.assignment(
                    of.jobId(),
                    entry.map(found -> new AgentState.Assigned(
                            found.createRevision(), found.lease(), value.map(Assignment.class::cast))));
        } else if (name instanceof Keys.Name.OfKiller of) {
            state.killer(of.jobId(), entry.map(Entry::modRevision), value.map(KillOrder.class::cast));
        }
    }

    private void round() {
        awake = false;
        List<Task> writes = new ArrayList<>();
        List<Task.Read> reads = new ArrayList<>();
        for (Task task : planner.plan(loop.nanoTime(), loop.wallTime())) {
            if (task instanceof Task.Read read) {
                reads.add(read);
            } else if (task instanceof Task.Start start) {
                begin(start);
            } else if (task instanceof Task.Stop stop) {
                LOG.info("stops job={} epoch={} reason={}", stop.jobId(), stop.epoch(), Json.quote(stop.reason()));
                units.stop(stop.jobId(), stop.epoch(), stop.reason());
            } else {
                writes.add(task);
            }
        }
        records.read(reads, units::refusal, this::readDone);
        records.write(writes, this::writeDone);
        setTimer();
        lookWhetherDone();
    }

    private void begin(Task.Start start) {
        LeaseKeeper held = keeper;
        if (held == null) {
            throw new IllegalStateException("a start without a lease: " + start.jobId());
        }
        LOG.info(
                "starts job={} domain={} epoch={} attempt={}",
                start.jobId(),
                start.job().domain(),
                start.epoch(),
                start.attempt());
        JobContext.Run run = new JobContext.Run(start.job(), workerId, start.epoch(), start.attempt());
        units.start(run, held::isSafe, this);
    }

    private void setTimer() {
        timer.cancel();
        OptionalLong next = planner.nextWake();
        if (next.isPresent()) {
            long pause = Math.max(0, next.getAsLong() - loop.nanoTime());
            timer = loop.schedule(Duration.ofNanos(pause), this::wake);
        }
    }

    private void lookWhetherDone() {
        if (fenced && state.isIdle()) {
            fenced = false;
            idle.run();
        }
        Runnable done = whenEmpty;
        if (done != null && state.isEmpty() && mirror.revision() >= emptyFrom) {
            whenEmpty = null;
            done.run();
        }
    }

    private void readDone(AgentStore.ReadAnswer answer) {
        answer.found()
                .ifPresentOrElse(
                        reading -> state.read(answer.jobId(), answer.epoch(), reading),
                        () -> state.readFailed(answer.jobId(), answer.epoch()));
        wake();
    }

    private void writeDone(Task task, AgentStore.Written written) {
        if (task instanceof Task.Report report) {
            if (written.applied()) {
                state.reported(report, written.revision());
            } else {
                state.writeFailed(report.jobId(), report.epoch());
            }
        } else if (task instanceof Task.Release release) {
            if (written.applied()) {
                state.released(release.jobId(), release.epoch());
            } else {
                state.writeFailed(release.jobId(), release.epoch());
            }
        } else if (written.isUnknown()) {
            state.touch(task.jobId());
        } else if (!written.applied()) {
            mirror.resync("a kill order is for an assignment that isn't shown");
        }
        wake();
    }
}
