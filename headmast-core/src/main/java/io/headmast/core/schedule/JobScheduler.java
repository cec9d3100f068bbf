// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Server;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.plan.Plan;
import io.headmast.core.plan.Planner;
import io.headmast.core.plan.Step;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduling loop: gather (the mirror), decide (the planner), act (the committer). Events decide nothing; they wake
 * the loop, and what is to be done follows from the state alone. Every server runs one; only the leader's plans.
 *
 * <p>It belongs to the mirror's loop, except where a method says otherwise.
 */
public final class JobScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(JobScheduler.class);
    private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(200);

    /** The longest that the loop sleeps before it looks at the wall clock again, which may have been set meanwhile. */
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);

    /** So many transactions in a row that did nothing mean that the mirror is wrong, and not just late. */
    private static final int MAX_FRUITLESS = 10;

    private final EventLoop loop;
    private final ClusterMirror mirror;
    private final ClusterState state;
    private final Planner planner;
    private final Leadership leadership;
    private final PlanCommitter committer;
    private final List<Step> inDoubt = new ArrayList<>();
    private boolean awake;
    private boolean pausing;
    private long refencedFrom;
    private int fruitless;
    private EventLoop.Timer retryTimer = () -> {};

    /**
     * @param scheduling how jobs get their workers while this server leads
     * @param self how this server announces itself
     * @param ttl of its lease
     */
    public JobScheduler(KeyValueStore store, ClusterMirror mirror, Scheduling scheduling, Server self, Duration ttl) {
        this.loop = mirror.loop();
        this.mirror = mirror;
        this.state = mirror.state();
        this.planner = new Planner(state, timed(scheduling));
        this.leadership = new Leadership(store, mirror, self, ttl, this::wake);
        this.committer = new PlanCommitter(store, mirror, new Outcomes());
    }

    private Scheduling timed(Scheduling scheduling) {
        return new Scheduling(new TimedPolicy(scheduling.policy(), loop), scheduling.rebalanceRate());
    }

    /** Takes part in the election, and schedules while it leads. */
    public void start() {
        mirror.addListener(changed -> wake());
        leadership.start();
    }

    /** Stops, and hands leadership over at once if it leads. */
    public CompletableFuture<Void> close() {
        retryTimer.cancel();
        return leadership.close();
    }

    /** What it has committed; from any thread. */
    public CommitCounters counters() {
        return committer.counters();
    }

    /** However many events come, one round waits on the loop. */
    private void wake() {
        if (!awake) {
            awake = true;
            loop.execute(this::round);
        }
    }

    private void round() {
        awake = false;
        settleDoubt();
        Optional<PlanCommitter.Fence> fence = leadership.fence();
        if (fence.isEmpty() || pausing || !inDoubt.isEmpty() || committer.room() <= 0) {
            return;
        }
        Plan plan = planner.plan(loop.wallTime(), committer.room());
        plan.problems().forEach(problem -> LOG.warn("planning problem={}", problem));
        committer.commit(plan.steps(), fence.get());
        plan.retryAt().ifPresent(this::wakeAt);
    }

    private void wakeAt(Instant when) {
        retryTimer.cancel();
        Instant now = loop.wallTime();
        Duration pause = when.isAfter(now.plus(LONGEST_SLEEP))
                ? LONGEST_SLEEP
                : Duration.between(now, when).plusMillis(1);
        retryTimer = loop.schedule(pause.isNegative() ? Duration.ZERO : pause, this::wake);
    }

    /**
     * Steps whose outcome is unknown stay under way until no transaction of the old term can be applied any more and
     * the mirror has seen what was: then they are planned again from what is there.
     */
    private void settleDoubt() {
        if (inDoubt.isEmpty() || !committer.isIdle()) {
            return;
        }
        Optional<PlanCommitter.Fence> fence = leadership.fence();
        if (fence.isPresent() && fence.get().term() == refencedFrom) {
            leadership.refence();
        } else if (fence.isPresent()) {
            inDoubt.forEach(state::dropped);
            inDoubt.clear();
        }
    }

    private final class Outcomes implements PlanCommitter.Outcome {
        @Override
        public void done() {
            wake();
        }

        @Override
        public void applied(int steps) {
            fruitless = steps > 0 ? 0 : fruitless + 1;
            if (fruitless >= MAX_FRUITLESS) {
                fruitless = 0;
                LOG.warn("no step holds any more; lists everything again transactions={}", MAX_FRUITLESS);
                mirror.resync("no step holds");
                pause();
            }
        }

        @Override
        public void deposed(long term, long revision) {
            leadership.deposed(term, revision);
        }

        @Override
        public void unknown(List<Step> steps, long term, Throwable cause) {
            LOG.warn("outcome unknown; reads before it plans again steps={} cause={}", steps.size(), cause.toString());
            inDoubt.addAll(steps);
            refencedFrom = term;
        }

        @Override
        public void refused(Throwable cause) {
            LOG.warn("store refuses; pauses for={} cause={}", PAUSE_AFTER_REFUSAL, cause.toString());
            pause();
        }

        private void pause() {
            pausing = true;
            var unused = loop.schedule(PAUSE_AFTER_REFUSAL, () -> {
                pausing = false;
                wake();
            });
        }
    }
}
