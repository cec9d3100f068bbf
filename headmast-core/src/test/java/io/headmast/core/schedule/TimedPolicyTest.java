// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.headmast.api.Job;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A policy that takes its time: the jobs are placed, and the log says how long it took. */
final class TimedPolicyTest {
    private final TestCluster cluster = new TestCluster();
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TimedPolicy.class);

    /** Takes virtual time for each choice. */
    private final class Slow implements SchedulePolicy {
        private final Duration each;

        Slow(Duration each) {
            this.each = each;
        }

        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
            cluster.time().pass(each);
            return new BalancePolicy().choose(job, candidates, context);
        }
    }

    @BeforeEach
    void listen() {
        reports.start();
        logger.addAppender(reports);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(reports);
    }

    private List<String> logged(Duration each, int jobs) {
        var unused = cluster.server("s1", new Slow(each)).start();
        var unusedWorker = cluster.worker(Samples.worker("w1"));
        cluster.settle();
        for (int i = 0; i < jobs; i++) {
            cluster.submit(Samples.job("j" + i));
            cluster.settle();
        }
        assertEquals(jobs, cluster.runs().running().size());
        return reports.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void slowChoicesAreToldNowAndThen() {
        assertEquals(
                List.of(
                        "policy is slow policy=slow job=j0 ms=150 times=1",
                        "policy is slow policy=slow job=j9 ms=150 times=10"),
                logged(Duration.ofMillis(150), 12));
    }

    @Test
    void quickOnesAreNot() {
        assertEquals(List.of(), logged(Duration.ofMillis(99), 5));
    }
}
