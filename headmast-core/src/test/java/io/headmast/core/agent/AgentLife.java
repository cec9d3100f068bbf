// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * One process of a worker around its planner: it carries tasks out as chance has it, answers late, wrongly or never, and
 * refuses what must not happen.
 */
final class AgentLife {
    final AgentState state = new AgentState();
    private final AgentPlanner planner = new AgentPlanner(state);
    private final AgentKeys keys;
    private final Random random;

    /** What runs, by job. */
    final TreeMap<String, Active> active = new TreeMap<>();

    /** Reads and writes that have not come to the store. */
    final List<Task> underWay = new ArrayList<>();

    private final Set<Long> released = new HashSet<>();
    private long nanos = -3;

    /** Whether chance may make anything fail or be refused. */
    boolean trouble = true;

    private static final class Active {
        final long epoch;
        boolean begun;
        boolean toldToStop;

        Active(long epoch) {
            this.epoch = epoch;
        }
    }

    AgentLife(AgentKeys keys, Random random) {
        this.keys = keys;
        this.random = random;
        keys.list(state);
        state.sessionBegun(keys.register());
    }

    /** Plans, and begins what follows; whether there was anything. */
    boolean plan() {
        List<Task> tasks = planner.plan(nanos, Instant.EPOCH.plusNanos(nanos));
        for (Task task : tasks) {
            if (task instanceof Task.Start start) {
                begin(start);
            } else if (task instanceof Task.Stop stop) {
                Active run = active.get(stop.jobId());
                assertNotNull(run, "stops what doesn't run: " + stop);
                assertEquals(run.epoch, stop.epoch());
                assertFalse(run.toldToStop, "stops twice: " + stop);
                run.toldToStop = true;
            } else {
                if (task instanceof Task.Release release) {
                    assertFalse(active.containsKey(release.jobId()), "releases what runs: " + release);
                    released.add(release.epoch());
                }
                underWay.add(task);
            }
        }
        return !tasks.isEmpty();
    }

    private void begin(Task.Start start) {
        assertNull(active.get(start.jobId()), "runs already: " + start);
        assertFalse(released.contains(start.epoch()), "was given up: " + start);
        assertTrue(state.scheduledHere(start.jobId()), "is not assigned: " + start);
        assertTrue(start.job().wantsPlacement(), "must not start: " + start);
        active.put(start.jobId(), new Active(start.epoch()));
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** Lets time pass until something waits no longer; whether anything waited. */
    boolean passUntilNextWake() {
        if (planner.nextWake().isEmpty()) {
            return false;
        }
        nanos = Math.max(nanos, planner.nextWake().getAsLong());
        return true;
    }

    /** One of the reads and writes under way comes to its end; whether there was one. */
    boolean carryOut() {
        if (underWay.isEmpty()) {
            return false;
        }
        Task task = underWay.remove(random.nextInt(underWay.size()));
        boolean lost = trouble && random.nextInt(5) == 0;
        if (task instanceof Task.Read read) {
            Optional<String> refusal = trouble && random.nextInt(8) == 0 ? Optional.of("no room") : Optional.empty();
            if (lost) {
                state.readFailed(read.jobId(), read.epoch());
            } else {
                state.read(read.jobId(), read.epoch(), keys.read(read.jobId(), refusal));
            }
            return true;
        }
        boolean applied = !lost || random.nextBoolean();
        if (lost && !applied && random.nextBoolean()) {
            // It arrives after its sender has given it up.
            keys.late.add(task);
        }
        long at = applied ? write(task) : 0;
        answer(task, lost ? 0 : at);
        return true;
    }

    private long write(Task task) {
        long at = keys.write(task);
        if (at != 0 && task instanceof Task.Release) {
            assertFalse(active.containsKey(task.jobId()) && active.get(task.jobId()).epoch == epochOf(task));
        }
        return at;
    }

    static long epochOf(Task task) {
        return task instanceof Task.Release release ? release.epoch() : 0;
    }

    private void answer(Task task, long at) {
        if (task instanceof Task.Report report) {
            if (at != 0) {
                state.reported(report, at);
            } else {
                state.writeFailed(report.jobId(), report.epoch());
            }
        } else if (task instanceof Task.Release release) {
            if (at != 0) {
                state.released(release.jobId(), release.epoch());
            } else {
                state.writeFailed(release.jobId(), release.epoch());
            }
        } else if (at == 0) {
            state.touch(task.jobId());
        }
    }

    /** Something may happen to one of the runs; whether it did. */
    boolean work() {
        if (active.isEmpty()) {
            return false;
        }
        String id = List.copyOf(active.keySet()).get(random.nextInt(active.size()));
        Active run = active.get(id);
        int what = random.nextInt(6);
        if (run.toldToStop) {
            end(id, Ending.Kind.STOPPED);
        } else if (!run.begun && trouble && what == 0) {
            end(id, Ending.Kind.REFUSED);
        } else if (!run.begun) {
            run.begun = true;
            state.started(id, run.epoch);
        } else if (!trouble) {
            return active.values().stream().anyMatch(other -> other.toldToStop || !other.begun);
        } else if (what < 2) {
            end(id, what == 0 ? Ending.Kind.COMPLETED : Ending.Kind.FAILED);
        } else {
            state.progressed(id, run.epoch, "step " + random.nextInt(3));
            state.stuck(id, run.epoch, "it does not stop");
        }
        return true;
    }

    private void end(String id, Ending.Kind kind) {
        Active run = active.remove(id);
        state.ended(id, run.epoch, new Ending(kind, "ended", Optional.empty()));
    }

    long epochOf(String id) {
        return active.get(id).epoch;
    }
}
