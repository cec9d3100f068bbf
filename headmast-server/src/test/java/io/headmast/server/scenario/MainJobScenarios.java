// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import io.headmast.worker.HeadmastWorker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The main job through REST, SDK and embedded workers, on whatever store a subclass brings. */
abstract class MainJobScenarios {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private InProcessCluster cluster;

    /** A connection of its own to the one store of a test. */
    abstract KeyValueStore connect();

    /** Called when nothing uses the store any more. */
    void closeStore() {}

    @BeforeEach
    void openCluster() {
        cluster = new InProcessCluster(this::connect);
    }

    @AfterEach
    void nothingEverRanTwice() {
        cluster.close();
        assertEquals(List.of(), cluster.stage.violations());
        assertEquals(Map.of(), cluster.stage.running(), "closing stops everything");
        closeStore();
    }

    @Test
    void aHundredJobsRunSplitEvenlyAndOrdersAreCarriedOut() {
        HeadmastService server = cluster.server("s1", "roundbin");
        HeadmastClient client = cluster.client(server);
        cluster.worker("w1");
        cluster.worker("w2");
        for (int i = 0; i < 100; i++) {
            client.createNewJob(job(i));
        }
        awaitRunning(100);
        assertEquals(Map.of("w1", 50, "w2", 50), cluster.stage.counts());
        Await.until(
                "all reported",
                LIMIT,
                () -> InProcessCluster.running(client.getJobs()).size() == 100);
        assertEquals(34, count(client.getJobsWithDomain("d0")));
        assertTrue(stream(client.getJobsWithDomain("d1"))
                .allMatch(view -> view.job().domain().equals("d1")));

        for (int i = 0; i < 10; i++) {
            client.controlJob(id(i), JobAction.KILL);
        }
        awaitRunning(90);
        Await.until("they say killed", LIMIT, () -> phase(client, 3) == Phase.KILLED);
        for (int i = 0; i < 5; i++) {
            client.controlJob(id(i), JobAction.ALIVE);
        }
        awaitRunning(95);
        Await.until("they are reported", LIMIT, () -> phase(client, 3) == Phase.RUNNING);
        assertEquals(1, client.getJob(id(3)).orElseThrow().state().attempt(), "an order begins the attempts anew");
        for (int i = 80; i < 100; i++) {
            client.deleteJob(id(i));
        }
        Await.until("records are gone", LIMIT, () -> count(client.getJobs()) == 80);
        awaitRunning(75);
        assertEquals(Optional.empty(), client.getJob(id(85)));
        assertEquals(List.of(), keysNaming(id(85)), "no key of a deleted job is left");
    }

    @Test
    void jobsWaitWithAReasonUntilAWorkerJoins() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        client.createNewJob(job(1));
        Await.until("pending with its reason", LIMIT, () -> {
            JobView view = client.getJob(id(1)).orElseThrow();
            return view.state().phase() == Phase.PENDING
                    && view.state().reason().equals("no worker is live");
        });
        cluster.worker("w1");
        awaitRunning(1);
    }

    @Test
    void aClosingWorkersJobsMoveAtOnce() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        HeadmastWorker leaving = cluster.worker("w1");
        cluster.worker("w2");
        for (int i = 0; i < 20; i++) {
            client.createNewJob(job(i));
        }
        awaitRunning(20);
        long began = System.nanoTime();
        leaving.close();
        Await.until("all on the other", LIMIT, () -> cluster.stage.counts().equals(Map.of("w2", 20)));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.compareTo(InProcessCluster.TTL) < 0, "waited for a lease: " + took);
    }

    @Test
    void capacityAndDomainsAreKept() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        cluster.workerWith("w1", context -> context.capacity(3));
        cluster.workerWith("w2", context -> context.domains(Set.of("d0")));
        for (int i = 0; i < 12; i++) {
            client.createNewJob(job(i));
        }
        // The first three fill w1, whatever their domain; w2 takes the rest of d0, and that which w1 can give it.
        awaitRunning(7);
        Await.until(
                "what doesn't fit says why",
                LIMIT,
                () -> InProcessCluster.running(client.getJobs()).size() == 7
                        && reasons(client)
                                .contains("1 worker: capacity 3 of 3 used; 1 worker: does not serve domain d1"));
        cluster.worker("w3");
        awaitRunning(12);
    }

    @Test
    void aRestartRunsTheJobAgainWithAHigherEpoch() {
        HeadmastClient client = cluster.client(cluster.server("s1", "roundbin"));
        cluster.worker("w1");
        cluster.worker("w2");
        client.createNewJob(job(1));
        awaitRunning(1);
        Stage.Act before = cluster.stage.running().get(id(1));
        client.controlJob(id(1), JobAction.RESTART);
        Await.until("started again", LIMIT, () -> cluster.stage.starts(id(1)) == 2);
        Stage.Act after = cluster.stage.running().get(id(1));
        assertTrue(after.epoch() > before.epoch());
        assertEquals(before.worker(), after.worker(), "a restart stays where it was");
    }

    @Test
    void targetStatesLoadWithoutStarting() {
        HeadmastClient client = cluster.client(cluster.server("s1", "roundbin"));
        cluster.worker("w1");
        client.createNewJob(job(1));
        awaitRunning(1);
        client.controlJob(id(1), JobAction.LOAD);
        Await.until("loaded", LIMIT, () -> phase(client, 1) == Phase.LOADED);
        awaitRunning(0);
        long epoch = client.getJob(id(1)).orElseThrow().state().epoch();
        client.controlJob(id(1), JobAction.START);
        awaitRunning(1);
        assertEquals(epoch, cluster.stage.running().get(id(1)).epoch(), "loading keeps the place");
        client.controlJob(id(1), JobAction.STOP);
        awaitRunning(0);
        Await.until("inactive", LIMIT, () -> phase(client, 1) == Phase.INACTIVE);
    }

    @Test
    void aWorkerThatJoinsGetsItsShareByTheFewestMoves() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        cluster.worker("w1");
        cluster.worker("w2");
        for (int i = 0; i < 90; i++) {
            client.createNewJob(job(i));
        }
        awaitRunning(90);
        assertEquals(Map.of("w1", 45, "w2", 45), cluster.stage.counts());
        Map<String, Stage.Act> before = cluster.stage.running();
        long began = System.nanoTime();
        cluster.worker("w3");
        Map<String, Integer> even = Map.of("w1", 30, "w2", 30, "w3", 30);
        Await.until(
                "each has its share",
                LIMIT,
                cluster.stage::counts,
                () -> cluster.stage.counts().equals(even));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertTrue(took.compareTo(Duration.ofSeconds(1)) >= 0, "30 moves at 20/s in " + took);
        Await.until(
                "and says so",
                LIMIT,
                () -> InProcessCluster.running(client.getJobs()).size() == 90);
        Map<String, Stage.Act> after = cluster.stage.running();
        long stayed = before.entrySet().stream()
                .filter(act -> act.getValue().equals(after.get(act.getKey())))
                .count();
        assertEquals(60, stayed);
        assertEquals(120, cluster.stage.starts(), "none moved twice");
        cluster.workerWith("w4", context -> context.domains(Set.of("elsewhere")));
        assertEquals(even, cluster.stage.counts());
    }

    @Test
    void underRoundbinAWorkerThatJoinsGetsNothingThatRuns() {
        HeadmastClient client = cluster.client(cluster.server("s1", "roundbin"));
        cluster.worker("w1");
        for (int i = 0; i < 10; i++) {
            client.createNewJob(job(i));
        }
        awaitRunning(10);
        cluster.worker("w2");
        client.createNewJob(job(10));
        client.createNewJob(job(11));
        awaitRunning(12);
        Await.until(
                "all say so",
                LIMIT,
                () -> InProcessCluster.running(client.getJobs()).size() == 12);
        assertEquals(12, cluster.stage.starts());
    }

    @Test
    void drainingMovesEverythingAndUncordonLetsItBack() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        cluster.worker("w1");
        cluster.worker("w2");
        for (int i = 0; i < 10; i++) {
            client.createNewJob(job(i));
        }
        awaitRunning(10);
        client.drainWorker("w1", "maintenance");
        Await.until("w1 is empty", LIMIT, () -> cluster.stage.counts().equals(Map.of("w2", 10)));
        client.uncordonWorker("w1");
        Await.until("w1 is used again", LIMIT, () -> cluster.stage.counts().equals(Map.of("w1", 5, "w2", 5)));
        assertEquals(20, cluster.stage.starts(), "five moves there and five back");
        assertThrows(HeadmastException.Conflict.class, () -> client.removeWorker("w1"));
    }

    @Test
    void aSecondLiveWorkerWithTheSameIdIsRefused() {
        HeadmastClient client = cluster.client(cluster.server("s1", "balance"));
        cluster.worker("w1");
        client.createNewJob(job(1));
        awaitRunning(1);
        HeadmastException.Conflict refusal = assertThrows(HeadmastException.Conflict.class, () -> cluster.worker("w1"));
        assertTrue(refusal.detail().contains("w1 is in use by a live worker"), refusal.detail());
        assertEquals(1, cluster.stage.starts(id(1)), "the first is undisturbed");
    }

    private static Job job(int number) {
        return Job.builder()
                .id(id(number))
                .domain("d" + number % 3)
                .payload("work " + number)
                .build();
    }

    private static String id(int number) {
        return "job-" + number;
    }

    private void awaitRunning(int count) {
        Await.until(
                count + " jobs run",
                LIMIT,
                () -> cluster.stage.counts(),
                () -> cluster.stage.running().size() == count);
    }

    private static Phase phase(HeadmastClient client, int number) {
        return client.getJob(id(number)).orElseThrow().state().phase();
    }

    private static List<String> reasons(HeadmastClient client) {
        return stream(client.getJobs()).map(view -> view.state().reason()).toList();
    }

    private static long count(Iterable<JobView> jobs) {
        return stream(jobs).count();
    }

    private static Stream<JobView> stream(Iterable<JobView> jobs) {
        return StreamSupport.stream(jobs.spliterator(), false);
    }

    private List<String> keysNaming(String jobId) {
        KeyValueStore store = connect();
        try {
            return store.range(RangeRequest.of(KeyRange.prefix(cluster.prefix))).join().items().stream()
                    .map(item -> item.key())
                    .filter(key -> key.endsWith("/" + jobId))
                    .toList();
        } finally {
            store.close();
        }
    }
}
