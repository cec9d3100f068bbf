// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobQuery;
import io.headmast.api.Phase;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes die by kill -9 and are restarted, on a real etcd; jobs write down themselves when they run. */
class CrashScenariosTest extends ProcessCase {
    /** What placing, starting and writing down may take beside the lapse of a lease, on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    @AfterEach
    void nothingRanTwice() {
        assertEquals(List.of(), cluster.journals.violations());
    }

    @Test
    void aThousandJobsSurviveTheDeathOfAWorkerAndTheLeaderInTheSameSecond() {
        List<String> workers = List.of("w1", "w2", "w3", "w4", "w5");
        cluster.server("s1");
        HeadmastClient first = cluster.client("s1");
        cluster.server("s2");
        workers.forEach(cluster::worker);
        HeadmastClient client = cluster.client("s2");
        Await.until(
                "five workers", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 5);
        submit(client, 1000);
        cluster.awaitRunning(1000);
        ProcessCluster.awaitReported(client, 1000);
        Map<String, Long> before = ProcessCluster.epochs(client);
        Map<String, Integer> spread = spread();
        assertEquals(Map.of("w1", 200, "w2", 200, "w3", 200, "w4", 200, "w5", 200), spread);
        assertEquals("s1", first.cluster().leader().orElseThrow().id());

        cluster.killWorker("w3");
        cluster.child("s1").kill9();
        long killed = System.nanoTime();
        cluster.awaitRunning(1000);
        Duration took = Duration.ofNanos(System.nanoTime() - killed);
        assertTrue(took.compareTo(ProcessCluster.TTL.plus(SLACK)) <= 0, "all run again only after " + took);

        ProcessCluster.awaitReported(client, 1000);
        Map<String, Long> after = ProcessCluster.epochs(client);
        long untouched = before.entrySet().stream()
                .filter(entry -> entry.getValue().equals(after.get(entry.getKey())))
                .count();
        assertEquals(800, untouched, "jobs of healthy workers keep their epochs");
        assertEquals(1200, cluster.journals.runs().size(), "only the 200 lost ones started again");
    }

    @Test
    void jobsOfAKilledWorkerRunElsewhereAndTheFewestMoveBackWhenItComesBack() {
        cluster.server("s1");
        cluster.worker("w1");
        cluster.worker("w2");
        HeadmastClient client = cluster.client("s1");
        Await.until(
                "two workers", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 2);
        submit(client, 40);
        cluster.awaitRunning(40);
        assertEquals(Map.of("w1", 20, "w2", 20), spread());

        cluster.killWorker("w1");
        long killed = System.nanoTime();
        Await.until("all on w2", ProcessCluster.LIMIT, cluster::logs, () -> spread().equals(Map.of("w2", 40)));
        Duration took = Duration.ofNanos(System.nanoTime() - killed);
        assertTrue(took.compareTo(ProcessCluster.TTL.plus(SLACK)) <= 0, "took " + took);
        assertEquals(60, cluster.journals.runs().size(), "the healthy worker's jobs were not touched");

        cluster.worker("w1");
        Map<String, Integer> even = Map.of("w1", 20, "w2", 20);
        Await.until("w1 has its share", ProcessCluster.LIMIT, cluster::logs, () -> spread().equals(even));
        assertEquals(80, cluster.journals.runs().size(), "twenty moved back, each once");
    }

    @Test
    void aWorkerThatRestartsWithinItsLeaseTakesItsJobsUpAgain() {
        cluster.server("s1");
        cluster.worker("w1");
        HeadmastClient client = cluster.client("s1");
        submit(client, 20);
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);
        Map<String, Long> before = ProcessCluster.epochs(client);

        cluster.killWorker("w1");
        cluster.worker("w1");
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);
        assertEquals(before, ProcessCluster.epochs(client), "the same placements, taken over");
        assertTrue(cluster.child("w1").log().contains("took the registration over"));
        assertEquals(2, client.getJob("job-1").orElseThrow().state().attempt(), "a crash counts as an attempt");
    }

    @Test
    void everyAcknowledgedJobRunsWhenTheLeaderDiesWhileAThousandAreSubmitted() {
        cluster.server("s1");
        cluster.client("s1");
        cluster.server("s2");
        cluster.worker("w1");
        cluster.worker("w2");
        HeadmastClient client = cluster.client("s2", "s1");
        Await.until(
                "two workers", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 2);
        String leader = client.cluster().leader().orElseThrow().id();
        for (int i = 0; i < 1000; i++) {
            if (i == 500) {
                cluster.child(leader).kill9();
            }
            client.createNewJob(job(i));
        }
        cluster.awaitRunning(1000);
        assertEquals(1000, cluster.journals.runs().size(), "none started twice");
    }

    @Test
    void everythingRestartedOneAfterAnotherLosesNothing() {
        cluster.server("s1");
        cluster.worker("w1");
        HeadmastClient client = cluster.client("s1");
        submit(client, 20);
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);
        Map<String, Long> epochs = ProcessCluster.epochs(client);

        assertEquals(143, cluster.child("s1").terminate());
        cluster.server("s1");
        Await.until("the server is back", ProcessCluster.LIMIT, () -> ProcessCluster.answers(client));
        etcd.restart();
        Await.until("etcd is back", ProcessCluster.LIMIT, () -> ProcessCluster.answers(client));
        assertEquals(20, cluster.journals.runs().size(), "neither touched a run");
        ProcessCluster.awaitReported(client, 20);
        assertEquals(epochs, ProcessCluster.epochs(client));

        assertEquals(143, cluster.child("w1").terminate());
        cluster.worker("w1");
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);
        ProcessCluster.epochs(client).forEach((id, epoch) -> assertTrue(epoch > epochs.get(id), "epochs go on: " + id));
        assertEquals(20, client.getJobPage(JobQuery.ALL).items().size());
    }

    @Test
    void aKilledJobStaysKilledThroughEveryDeath() {
        cluster.server("s1");
        cluster.worker("w1");
        HeadmastClient one = cluster.client("s1");
        cluster.server("s2");
        submit(one, 3);
        cluster.awaitRunning(3);
        HeadmastClient client = cluster.client("s1", "s2");
        client.controlJob("job-1", JobAction.KILL);
        client.controlJob("job-2", JobAction.KILL);
        cluster.killWorker("w1");
        cluster.child("s1").kill9();
        cluster.worker("w1");
        cluster.worker("w2");
        Await.until(
                "only job-0 runs",
                ProcessCluster.LIMIT,
                cluster::logs,
                () -> cluster.journals.running().keySet().equals(new TreeSet<>(List.of("job-0"))));
        Await.until(
                "the kill is shown",
                ProcessCluster.LIMIT,
                () -> phase(client, "job-1") == Phase.KILLED && phase(client, "job-2") == Phase.KILLED);
        client.controlJob("job-2", JobAction.ALIVE);
        cluster.awaitRunning(2);
        assertEquals(Phase.KILLED, phase(client, "job-1"));
    }

    private static Phase phase(HeadmastClient client, String id) {
        try {
            return client.getJob(id).orElseThrow().state().phase();
        } catch (HeadmastException e) {
            return Phase.PENDING;
        }
    }

    private static void submit(HeadmastClient client, int count) {
        for (int i = 0; i < count; i++) {
            client.createNewJob(job(i));
        }
    }

    private static Job job(int number) {
        return Job.builder().id("job-" + number).domain("d" + number % 3).build();
    }

    private Map<String, Integer> spread() {
        Map<String, Integer> spread = new TreeMap<>();
        cluster.journals.running().values().forEach(run -> spread.merge(run.worker(), 1, Integer::sum));
        return spread;
    }
}
