// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobView;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Processes are frozen by SIGSTOP, and etcd is cut off; jobs write down themselves when they run. */
class FreezeScenariosTest extends ProcessCase {
    @Test
    void aFrozenWorkersJobsMoveAndItsSupersededRunsStopAsSoonAsItWakes() {
        // Nothing that runs moves back, so whatever w1 starts after waking is a mistake.
        cluster.server("s1", "--rebalance-rate", "0");
        cluster.worker("w1");
        cluster.worker("w2");
        HeadmastClient client = cluster.client("s1");
        Await.until(
                "two workers", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 2);
        submit(client, 20);
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);

        cluster.child("w1").pause();
        long frozen = System.nanoTime();
        Await.until("all are placed on w2", ProcessCluster.LIMIT, cluster::logs, () -> onWorker(client, "w2") == 20);
        ProcessCluster.awaitReported(client, 20);
        Map<String, Long> epochs = ProcessCluster.epochs(client);
        elapse(frozen, ProcessCluster.TTL.multipliedBy(3));
        cluster.child("w1").resume();
        long woken = System.nanoTime();
        Await.until("its runs have stopped", ProcessCluster.LIMIT, cluster::logs, () -> goingOn("w1") == 0);
        Duration took = Duration.ofNanos(System.nanoTime() - woken);
        assertTrue(took.compareTo(Duration.ofSeconds(2)) <= 0, "superseded runs went on for " + took);
        Await.until(
                "it is registered again",
                ProcessCluster.LIMIT,
                () -> client.listWorkers().size() == 2);
        assertEquals(epochs, ProcessCluster.epochs(client), "its late reports changed nothing");
        List<Journals.Run> afterWaking = cluster.journals.runs().stream()
                .filter(run -> run.worker().equals("w1") && run.from() > frozen)
                .toList();
        assertEquals(List.of(), afterWaking, "and it started nothing");
    }

    @Test
    void aFrozenLeaderCommitsNothingWhenItWakes() {
        cluster.server("s1");
        HeadmastClient first = cluster.client("s1");
        cluster.server("s2");
        HeadmastClient client = cluster.client("s2");
        cluster.worker("w1");
        Await.until("a worker", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 1);
        assertEquals("s1", first.cluster().leader().orElseThrow().id());
        submit(client, 10);
        cluster.awaitRunning(10);

        cluster.child("s1").pause();
        submit(client, 20);
        cluster.awaitRunning(20);
        assertEquals("s2", client.cluster().leader().orElseThrow().id());
        cluster.child("s1").resume();
        submit(client, 30);
        cluster.awaitRunning(30);
        Await.until("the woken server answers", ProcessCluster.LIMIT, () -> ProcessCluster.answers(first));
        assertEquals("s2", first.cluster().leader().orElseThrow().id());
        assertEquals(30, cluster.journals.runs().size(), "nothing was started twice");
        assertEquals(List.of(), cluster.journals.violations());
    }

    @Test
    void anOutageOfAThirdOfTheLeaseStopsAndMovesNothing() {
        cluster.server("s1");
        cluster.worker("w1");
        cluster.worker("w2");
        HeadmastClient client = cluster.client("s1");
        submit(client, 20);
        cluster.awaitRunning(20);
        ProcessCluster.awaitReported(client, 20);
        Map<String, Long> epochs = ProcessCluster.epochs(client);

        long began = System.nanoTime();
        etcd.pause();
        elapse(began, ProcessCluster.TTL.dividedBy(3));
        etcd.resume();
        // Past the moment at which a lease that was not renewed in time would have lapsed.
        elapse(System.nanoTime(), ProcessCluster.TTL.plusSeconds(1));
        Await.until("the store answers again", ProcessCluster.LIMIT, () -> ProcessCluster.answers(client));
        ProcessCluster.awaitReported(client, 20);
        assertEquals(epochs, ProcessCluster.epochs(client));
        assertEquals(20, cluster.journals.runs().size(), "nothing stopped or started");
    }

    @Test
    void aWorkerThatIsCutOffStopsBeforeItsLeaseLapsesAndCarriesOnByItself() {
        try (CuttingProxy proxy = CuttingProxy.to(etcd)) {
            cluster.server("s1");
            cluster.worker("w1", proxy.endpoint());
            HeadmastClient client = cluster.client("s1");
            submit(client, 10);
            cluster.awaitRunning(10);
            ProcessCluster.awaitReported(client, 10);

            proxy.hold(CuttingProxy.Direction.values());
            Await.until("its jobs stop", ProcessCluster.LIMIT, cluster::logs, () -> goingOn("w1") == 0);
            assertEquals(1, client.listWorkers().size(), "its lease had not lapsed when they had stopped");
            Await.until(
                    "the lease lapses",
                    ProcessCluster.LIMIT,
                    () -> client.listWorkers().isEmpty());
            proxy.release();
            proxy.cutAll();
            cluster.awaitRunning(10);
            assertEquals(List.of(), cluster.journals.violations());
        }
    }

    private long goingOn(String worker) {
        return cluster.journals.runs().stream()
                .filter(run -> run.worker().equals(worker) && run.goesOn())
                .count();
    }

    private static long onWorker(HeadmastClient client, String worker) {
        long count = 0;
        for (JobView view : client.getJobs()) {
            if (view.state().worker().filter(worker::equals).isPresent()
                    && view.state().epoch() != 0) {
                count++;
            }
        }
        return count;
    }

    /** Real time has to pass: what is tested is what real clocks do. */
    private static void elapse(long from, Duration time) {
        while (System.nanoTime() - from < time.toNanos()) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static void submit(HeadmastClient client, int count) {
        for (int i = 0; i < count; i++) {
            client.createNewJob(Job.builder().id("job-" + i).build());
        }
    }
}
