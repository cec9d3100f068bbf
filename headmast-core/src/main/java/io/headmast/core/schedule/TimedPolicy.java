// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Job;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A policy whose slow choices are logged: while it thinks, this server neither schedules nor answers reads, nor renews
 * its leadership. It belongs to the loop.
 */
final class TimedPolicy implements SchedulePolicy {
    static final Duration SLOW = Duration.ofMillis(100);

    /** One line in that time: a policy that is slow is so for each of a thousand jobs. */
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(TimedPolicy.class);

    private final SchedulePolicy policy;
    private final EventLoop loop;
    private final String name;
    private int slow;
    private long quietUntil;

    TimedPolicy(SchedulePolicy policy, EventLoop loop) {
        this.policy = policy;
        this.loop = loop;
        this.name = policy.name();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean rebalances() {
        return policy.rebalances();
    }

    @Override
    public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
        long began = loop.nanoTime();
        try {
            return policy.choose(job, candidates, context);
        } finally {
            note(job, began, loop.nanoTime());
        }
    }

    private void note(Job job, long began, long ended) {
        if (ended - began < SLOW.toNanos()) {
            return;
        }
        slow++;
        if (slow == 1 || ended - quietUntil >= 0) {
            quietUntil = ended + BETWEEN_LINES.toNanos();
            LOG.warn(
                    "policy is slow policy={} job={} ms={} times={}",
                    name,
                    job.id(),
                    (ended - began) / 1_000_000,
                    slow);
        }
    }
}
