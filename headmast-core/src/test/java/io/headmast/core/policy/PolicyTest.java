// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.Worker;
import io.headmast.core.testing.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The policies by themselves, asked in the seed's form: with plain lists. */
final class PolicyTest {
    private final ScheduleContext context = new ScheduleContext();
    private final SchedulePolicy roundbin = new RoundbinPolicy();
    private final SchedulePolicy balance = new BalancePolicy();

    private List<Worker> add(SchedulePolicy policy, List<Worker> workers, String... jobs) {
        List<Worker> now = workers;
        for (String job : jobs) {
            now = policy.determineWithJobChanged(context, Samples.job(job), now, true);
        }
        return now;
    }

    private static List<Worker> workers(String... ids) {
        List<Worker> workers = new ArrayList<>();
        for (String id : ids) {
            workers.add(Samples.worker(id));
        }
        return workers;
    }

    /** As {@code w1:a,b w2:c}. */
    private static String show(List<Worker> workers) {
        List<String> parts = new ArrayList<>();
        workers.forEach(worker -> parts.add(worker.id() + ":" + String.join(",", worker.workingJobs())));
        return String.join(" ", parts);
    }

    @Test
    void roundbinTakesTurnsByIdAndWraps() {
        assertEquals("w2:b,e w1:a,d w3:c", show(add(roundbin, workers("w2", "w1", "w3"), "a", "b", "c", "d", "e")));
    }

    @Test
    void roundbinGivesAWorkerThatJoinsItsTurnAndMovesNothing() {
        List<Worker> two = add(roundbin, workers("w1", "w3"), "a", "b", "c");
        List<Worker> three = roundbin.determineWithWorkerChanged(context, Samples.worker("w2"), two, true);
        assertEquals("w1:a,c w3:b w2:", show(three));
        assertEquals("w1:a,c w3:b,e w2:d", show(add(roundbin, three, "d", "e")));
    }

    @Test
    void roundbinDealsTheJobsOfAWorkerThatIsGoneInTheSameOrder() {
        List<Worker> three = add(roundbin, workers("w1", "w2", "w3"), "a", "b", "c", "d", "e", "f");
        Worker gone = three.get(1);
        List<Worker> rest = List.of(three.get(0), three.get(2));
        assertEquals("w1:a,d,b w3:c,f,e", show(roundbin.determineWithWorkerChanged(context, gone, rest, false)));
    }

    @Test
    void roundbinSkipsWorkersThatCanNotHaveTheJob() {
        List<Worker> workers = List.of(
                Samples.worker("w1", 1),
                Samples.serving("w2", "other"),
                Samples.worker("w3").withClosing(true),
                Samples.worker("w4"));
        assertEquals("w1:a w2: w3: w4:b,c,d", show(add(roundbin, workers, "a", "b", "c", "d")));
    }

    @Test
    void jobThatNobodyCanHaveChangesNothing() {
        List<Worker> workers = List.of(Samples.worker("w1", 0));
        assertEquals(workers, add(roundbin, workers, "a"));
        assertEquals(workers, add(balance, workers, "a"));
        assertEquals(List.of(), add(balance, List.of(), "a"));
    }

    @Test
    void deletedJobIsTakenOffItsWorkerOnly() {
        List<Worker> before = add(balance, workers("w1", "w2"), "a", "b", "c");
        assertEquals("w1:a,c w2:", show(balance.determineWithJobChanged(context, Samples.job("b"), before, false)));
        assertEquals(before, balance.determineWithJobChanged(context, Samples.job("unknown"), before, false));
    }

    @Test
    void balanceTakesTheLeastUsed() {
        List<Worker> workers = List.of(
                Samples.worker("w1", 10).withJobs(List.of("x", "y"), List.of()),
                Samples.worker("w2", 100).withJobs(List.of("z"), List.of()),
                Samples.worker("w3", 4).withJobs(List.of("u"), List.of()));
        assertEquals("w1:x,y w2:z,a,b w3:u", show(add(balance, workers, "a", "b")));
    }

    @Test
    void balanceBreaksTiesByReportedLoadThenById() {
        Worker busy = Samples.worker("w1", Set.of(), OptionalLong.of(10), OptionalDouble.of(0.9));
        Worker lazy = Samples.worker("w3", Set.of(), OptionalLong.of(10), OptionalDouble.of(0.1));
        Worker lazyToo = Samples.worker("w2", Set.of(), OptionalLong.of(10), OptionalDouble.of(0.1));
        assertEquals("w1:c w3:b w2:a", show(add(balance, List.of(busy, lazy, lazyToo), "a", "b", "c")));
    }

    @Test
    void balanceDealsTheJobsOfAWorkerThatIsGoneToTheLeastUsed() {
        Worker gone = Samples.worker("w3").withJobs(List.of("a", "b", "c"), List.of());
        List<Worker> rest = List.of(
                Samples.worker("w1", 10).withJobs(List.of("x", "y", "z"), List.of()),
                Samples.worker("w2", 10).withJobs(List.of("u"), List.of()));
        assertEquals("w1:x,y,z,c w2:u,a,b", show(balance.determineWithWorkerChanged(context, gone, rest, false)));
    }

    @Test
    void jobsOfAWorkerThatIsGoneStayWithinItsDomain() {
        Worker gone = Samples.serving("w3", "eu").withJobs(List.of("a"), List.of());
        List<Worker> rest = List.of(Samples.serving("w1", "us"), Samples.serving("w2", "eu"));
        assertEquals("w1: w2:a", show(balance.determineWithWorkerChanged(context, gone, rest, false)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void balanceFillsMixedCapacitiesEvenlyToWithinOneJob(long seed) {
        var random = new Random(seed);
        List<Worker> workers = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < 2 + random.nextInt(6); i++) {
            long capacity = 5L + random.nextInt(60);
            total += capacity;
            workers.add(Samples.worker("w" + i, capacity));
        }
        Collections.shuffle(workers, random);
        long jobs = total / 2;
        List<Worker> filled = workers;
        for (int i = 0; i < jobs; i++) {
            filled = add(balance, filled, "j" + i);
        }
        for (Worker worker : filled) {
            long capacity = worker.capacity().getAsLong();
            double ideal = (double) jobs * capacity / total;
            assertTrue(
                    Math.abs(worker.workingJobs().size() - ideal) <= 1 + ideal * 0.05,
                    () -> worker.workingJobs().size() + " jobs on capacity " + capacity + ", ideal " + ideal);
        }
    }

    @ParameterizedTest
    @CsvSource({"roundbin,roundbin", "round-robin,roundbin", "balance,balance"})
    void policiesAreFoundByTheirNames(String name, String found) {
        assertEquals(found, Policies.builtIn(name).orElseThrow().name());
    }

    @Test
    void everyNamedPolicyIsThereAndNoOther() {
        Policies.BUILT_IN.forEach(
                name -> assertEquals(name, Policies.builtIn(name).orElseThrow().name()));
        assertEquals(Optional.empty(), Policies.builtIn("random"));
    }

    @ParameterizedTest
    @CsvSource({"10,9,1,true", "10,9,2,false", "10,10,1,false", "0,0,1,false", "1,5,1,false"})
    void roomIsWhatTheCapacityLeaves(long capacity, long used, int weight, boolean fits) {
        assertEquals(fits, new Candidate("w", used, OptionalLong.of(capacity), 0).hasRoomFor(weight));
        assertTrue(new Candidate("w", used, OptionalLong.empty(), 0).hasRoomFor(weight));
    }

    @Test
    void refusalsSayWhyInFewWords() {
        Job job = Job.builder().id("j").domain("eu").weight(2).build();
        Worker small = Samples.worker("w", 3);
        var facts = new WorkerFacts(small, 2, Optional.empty());
        assertEquals(Optional.of("capacity 2 of 3 used, weight 2 needed"), Eligibility.refusal(job, facts));
        assertEquals(
                Optional.of("cordoned"),
                Eligibility.refusal(job, new WorkerFacts(small, 0, Optional.of(Samples.cordon()))));
        assertEquals(
                Optional.of("draining"),
                Eligibility.refusal(job, new WorkerFacts(small, 0, Optional.of(Samples.drain("")))));
        assertEquals(
                Optional.of("closing"),
                Eligibility.refusal(job, new WorkerFacts(small.withClosing(true), 0, Optional.empty())));
        assertEquals(
                Optional.of("does not serve domain eu"),
                Eligibility.refusal(job, new WorkerFacts(Samples.serving("w", "us"), 0, Optional.empty())));
        assertEquals(Optional.empty(), Eligibility.refusal(job, new WorkerFacts(small, 1, Optional.empty())));
    }
}
