// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker's planner in a long random life: a leader and users at work, a lagging mirror, lost and late writes, lapses and
 * restarts. What must never happen is checked at each step by {@link AgentLife}; here, what must be so when all is quiet.
 */
class AgentPlannerPropertyTest {
    private static final int STEPS = 600;
    private static final int QUIET_LIMIT = 2000;
    private static final List<String> JOBS = List.of("a", "ab", "b", "c");

    private static final List<RestartPolicy.When> WHENS = List.of(RestartPolicy.When.values());

    private final AgentKeys keys = new AgentKeys();
    private boolean registered = true;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAssignedRunsOnceAndNothingElseDoes(long seed) {
        Random random = new Random(seed);
        for (String id : JOBS) {
            keys.jobs.put(id, job(id, random));
        }
        AgentLife life = new AgentLife(keys, random);
        for (int step = 0; step < STEPS; step++) {
            life = happen(life, random);
            life.plan();
        }
        settle(life);
        check(life);
    }

    private AgentLife happen(AgentLife life, Random random) {
        String id = JOBS.get(random.nextInt(JOBS.size()));
        switch (random.nextInt(16)) {
            case 0, 1 -> keys.place(id);
            case 2 -> keys.stop(id, random.nextInt(4) == 0);
            case 3 -> keys.retarget(id);
            case 4 -> keys.jobs.put(id, changed(keys.jobs.get(id), random));
            case 5, 6, 7 -> keys.reveal(life.state);
            case 8, 9, 10 -> life.carryOut();
            case 11, 12 -> life.work();
            case 13 -> life.pass(Duration.ofMillis(random.nextInt(1500)));
            case 14 -> arriveLate(life, random);
            default -> {
                return misfortune(life, id, random);
            }
        }
        return life;
    }

    private void arriveLate(AgentLife life, Random random) {
        if (!keys.late.isEmpty()) {
            Task task = keys.late.remove(random.nextInt(keys.late.size()));
            boolean applied = keys.write(task) != 0;
            boolean runs =
                    life.active.containsKey(task.jobId()) && life.epochOf(task.jobId()) == AgentLife.epochOf(task);
            assertFalse(applied && runs, () -> "gives up what runs: " + task);
        }
    }

    private AgentLife misfortune(AgentLife life, String id, Random random) {
        switch (random.nextInt(8)) {
            case 0 -> keys.snatch(id);
            case 1, 2 -> {
                if (registered) {
                    registered = false;
                    life.state.sessionEnded();
                }
            }
            case 3 -> {
                if (!registered && keys.isAlive()) {
                    keys.lapse();
                }
            }
            case 4 -> {
                // Its process dies and another one takes the registration over; what is on its way stays so.
                registered = true;
                keys.late.addAll(life.underWay);
                keys.late.removeIf(task -> task instanceof Task.Read);
                return new AgentLife(keys, random);
            }
            default -> registerAgain(life);
        }
        return life;
    }

    private void registerAgain(AgentLife life) {
        if (!registered && life.state.isIdle()) {
            registered = true;
            if (keys.isAlive()) {
                keys.lapse();
            }
            life.state.sessionBegun(keys.register());
        }
    }

    /** Nobody wants anything more, and everything works. */
    private void settle(AgentLife life) {
        life.trouble = false;
        keys.late.clear();
        for (int round = 0; round < QUIET_LIMIT; round++) {
            long before = keys.revision();
            boolean busy = Stream.of(keys.reveal(life.state), life.plan(), life.carryOut(), life.work())
                    .anyMatch(happened -> happened);
            registerAgain(life);
            for (String id : JOBS) {
                keys.stop(id, false);
                keys.retarget(id);
                keys.place(id);
            }
            if (!busy && keys.revision() == before && !life.passUntilNextWake()) {
                return;
            }
        }
        throw new AssertionError("finds no rest");
    }

    private void check(AgentLife life) {
        TreeSet<String> wanted = new TreeSet<>();
        for (String id : JOBS) {
            Job job = keys.jobs.get(id);
            Optional<RunState> state = Optional.ofNullable(keys.states.get(id)).map(AgentKeys.Kept::value);
            boolean over = state.filter(last -> last.phase().isTerminal() && last.generation() == job.generation())
                    .isPresent();
            assertEquals(job.wantsPlacement() && !over, keys.assignments.containsKey(id), () -> id + " " + state);
            if (keys.assignments.containsKey(id)) {
                assertEquals(
                        keys.assignments.get(id).created(), state.orElseThrow().epoch());
                if (job.targetState() == TargetState.LAUNCHED) {
                    wanted.add(id);
                    assertEquals(Phase.RUNNING, state.orElseThrow().phase());
                    assertEquals(keys.assignments.get(id).created(), life.epochOf(id));
                } else {
                    assertEquals(Phase.LOADED, state.orElseThrow().phase());
                }
            }
        }
        assertEquals(wanted, life.active.keySet());
        assertTrue(keys.killers.isEmpty());
    }

    private static Job job(String id, Random random) {
        RestartPolicy.When when = WHENS.get(random.nextInt(WHENS.size()));
        boolean timed = random.nextInt(4) == 0;
        // A run that takes too long again and again would find no rest.
        int maxAttempts = timed || random.nextBoolean() ? 4 : 0;
        Job.Builder job = Samples.job(id).toBuilder()
                .restart(new RestartPolicy(when, Duration.ofMillis(10), Duration.ofSeconds(2), maxAttempts));
        return (timed ? job.maxRunTime(Duration.ofMillis(1 + random.nextInt(3000))) : job).build();
    }

    private static Job changed(Job job, Random random) {
        Job.Builder next = job.toBuilder();
        switch (random.nextInt(6)) {
            case 0 -> next.status(JobStatus.KILLED);
            case 1 -> next.targetState(TargetState.INACTIVE);
            case 2 -> next.targetState(TargetState.LOADED);
            case 3 -> next.generation(job.generation() + 1);
            default -> next.status(JobStatus.CREATED).targetState(TargetState.LAUNCHED);
        }
        return next.build();
    }
}
