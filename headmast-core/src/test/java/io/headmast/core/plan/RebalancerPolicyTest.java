// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Moves under policies of others, which may choose as they like. */
final class RebalancerPolicyTest {
    /** A policy that wants running jobs moved. */
    private abstract static class Rebalancing implements SchedulePolicy {
        @Override
        public String name() {
            return "rebalancing";
        }

        @Override
        public boolean rebalances() {
            return true;
        }
    }

    /** Fills one worker before the next, and says nonetheless that it rebalances. */
    private static final class Packing extends Rebalancing {

        @Override
        public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
            String fullest = "";
            double most = -1;
            for (Candidate candidate : candidates.inIdOrder()) {
                if (candidate.utilisation() > most) {
                    most = candidate.utilisation();
                    fullest = candidate.workerId();
                }
            }
            return Optional.of(fullest).filter(id -> !id.isEmpty());
        }
    }

    @Test
    void aPolicyThatWouldPlaceAJobBackWhereItWasMovesNothing() {
        var cluster = new MovingCluster(new Packing(), Scheduling.MAX_REBALANCE_RATE);
        cluster.workers("w1", "w2");
        cluster.jobs(10);
        assertEquals(0, cluster.settle());
        assertEquals(Map.of("w1", 10L, "w2", 0L), cluster.loads());
    }

    @Test
    void aPolicyThatThrowsWhenItIsAskedForAMoveCostsALogLine() {
        SchedulePolicy throwing = new Rebalancing() {
            @Override
            public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
                if (candidates.contains("w2")) {
                    throw new IllegalStateException("two are too many");
                }
                return new BalancePolicy().choose(job, candidates, context);
            }
        };
        var cluster = new MovingCluster(throwing, Scheduling.MAX_REBALANCE_RATE);
        cluster.workers("w1");
        cluster.jobs(2);
        cluster.settle();
        cluster.workers("w2");
        Plan plan = cluster.planner.plan(cluster.now, 100);
        assertEquals(List.of(), plan.steps());
        assertTrue(plan.problems().get(0).contains("two are too many"), plan.problems()::toString);
    }
}
