// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.Scheduling;
import java.time.Instant;
import java.util.List;

/** A model of the keys, the planner that follows it, and the words in which their tests speak. */
abstract class PlannerCase {
    static final Instant NOW = Instant.parse("2020-01-01T00:00:00Z");
    static final int NO_LIMIT = 1000;

    final ModelStore keys = new ModelStore();
    final ClusterState state = keys.follower();
    final Planner planner = new Planner(state, Scheduling.of(new RoundbinPolicy()));

    final List<Step> plan() {
        return planner.plan(NOW, NO_LIMIT).steps();
    }

    final Step commitTheOnlyStep() {
        List<Step> steps = plan();
        assertEquals(1, steps.size(), steps::toString);
        assertTrue(keys.commit(steps.get(0)));
        return steps.get(0);
    }

    /** Plans and commits; tells what was placed as {@code job>worker}, in the order of planning. */
    final List<String> place() {
        return place(NOW);
    }

    final List<String> place(Instant now) {
        Plan plan = planner.plan(now, NO_LIMIT);
        plan.steps().forEach(step -> assertTrue(keys.commit(step), step::toString));
        return plan.steps().stream()
                .filter(Step.Place.class::isInstance)
                .map(step -> step.jobId() + ">" + step.workerId())
                .toList();
    }

    /** The state of a job with its epoch, as its worker knows it. */
    final RunState running(String jobId) {
        Known<RunState> known = keys.states.get(jobId);
        RunState value = known.value().orElseThrow();
        return value.withWorker(value.worker(), JobSlot.epoch(known));
    }

    final void release(String jobId, Phase phase) {
        RunState last = running(jobId);
        keys.release(last.worker().orElseThrow(), jobId, last.to(phase, NOW, "released"));
    }
}
