// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.ClusterView;
import io.headmast.api.HeadmastException;
import io.headmast.api.WorkerView;
import io.headmast.core.store.Op;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands on workers, and what observers are told. */
final class StoreWorkerManagerTest {
    private final TestCluster cluster = new TestCluster();
    private final TestServer server = cluster.server("s1");
    private final StoreWorkerManager workers = new StoreWorkerManager(server.store(), server.mirror());
    private final StoreJobManager jobs = new StoreJobManager(server.store(), server.mirror());
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void start() {
        server.start();
        cluster.settle();
    }

    @AfterEach
    void close() {
        workers.close();
        jobs.close();
    }

    private PoorWorker worker(String id) {
        PoorWorker worker = cluster.worker(Samples.worker(id));
        cluster.settle();
        return worker;
    }

    private <X extends Throwable> void assertFails(Class<X> type, CompletableFuture<?> future) {
        assertThrows(type, () -> cluster.get(future));
    }

    private void awaitTold(String... expected) {
        Await.until("observer is told", Duration.ofSeconds(20), () -> told, () -> told.size() >= expected.length);
        assertEquals(List.of(expected), List.copyOf(told));
    }

    @Test
    void liveWorkersAreShownWithTheirJobs() {
        worker("w2");
        worker("w1");
        cluster.submitMany("j", 4);
        cluster.settle();
        List<WorkerView> all = cluster.get(workers.getWorkers());
        assertEquals(
                List.of("w1", "w2"),
                all.stream().map(view -> view.worker().id()).toList());
        assertEquals(2, all.get(0).used());
        assertEquals(cluster.runs().runningOn("w1"), all.get(0).worker().workingJobs());
        assertTrue(all.get(0).live());
        assertFails(HeadmastException.NotFound.class, workers.getWorker("w3"));
    }

    @Test
    void cordonIsSetShownAndLifted() {
        worker("w1");
        WorkerView cordoned = cluster.get(workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        assertEquals(Optional.of(Samples.cordon()), cordoned.cordon());
        cluster.submitMany("j", 1);
        cluster.settle();
        assertEquals(List.of(), cluster.runs().running());
        WorkerView lifted = cluster.get(workers.cordonWorker("w1", Optional.empty()));
        assertEquals(Optional.empty(), lifted.cordon());
        cluster.settle();
        assertEquals(List.of("j0"), cluster.runs().running());
    }

    @Test
    void cordonOutlivesItsWorker() {
        PoorWorker worker = worker("w1");
        cluster.get(workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        WorkerView gone = cluster.get(workers.getWorker("w1"));
        assertFalse(gone.live());
        assertEquals(Optional.of(Samples.cordon()), gone.cordon());
    }

    @Test
    void unknownWorkerCanNotBeCordoned() {
        assertFails(HeadmastException.NotFound.class, workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        assertEquals(List.of(), cluster.names("/headmast/cordons/"));
    }

    @Test
    void liftingTheCordonOfAWorkerThatIsGoneForgetsIt() {
        PoorWorker worker = worker("w1");
        cluster.get(workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        assertEquals(
                Optional.empty(),
                cluster.get(workers.cordonWorker("w1", Optional.empty())).cordon());
        assertFails(HeadmastException.NotFound.class, workers.getWorker("w1"));
    }

    @Test
    void liveWorkerCanNotBeRemoved() {
        PoorWorker worker = worker("w1");
        cluster.get(workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        assertFails(HeadmastException.Conflict.class, workers.removeWorker("w1"));
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        cluster.get(workers.removeWorker("w1"));
        assertEquals(List.of(), cluster.names("/headmast/cordons/"));
        assertFails(HeadmastException.NotFound.class, workers.removeWorker("w1"));
    }

    @Test
    void workerObserversAreToldWhatHappens() {
        workers.registerObserver((view, reason) -> told.add(view.worker().id() + " " + reason.wireName()));
        PoorWorker worker = worker("w1");
        cluster.get(workers.cordonWorker("w1", Optional.of(Samples.cordon())));
        worker.change(Samples.worker("w1", 5));
        cluster.settle();
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        awaitTold("w1 added", "w1 updated", "w1 updated", "w1 deleted");
    }

    @Test
    void jobObserversAreToldTheLifeOfAJob() {
        jobs.registerObserver((view, reason) -> told.add(view.job().id() + " " + reason.wireName() + " "
                + view.state().phase().wireName()));
        worker("w1");
        cluster.submit(Samples.job("a"));
        cluster.settle();
        cluster.delete("a");
        cluster.settle();
        awaitTold(
                "a added pending",
                "a updated scheduled",
                "a updated running",
                "a updated stopping",
                "a updated stopping",
                "a updated stopping",
                "a deleted stopping");
    }

    @Test
    void jobThatCameAndWentUnseenIsNotToldOf() {
        jobs.registerObserver((view, reason) -> told.add(view.job().id() + " " + reason.wireName()));
        server.store().holdWatches();
        cluster.submit(Samples.job("short"));
        cluster.commit(Op.delete("/headmast/jobs/short"));
        server.store().breakWatches();
        server.store().heal();
        cluster.settle();
        cluster.submit(Samples.job("last"));
        cluster.settle();
        awaitTold("last added");
    }

    @Test
    void clusterIsCounted() {
        worker("w1");
        cluster.submitMany("j", 3);
        cluster.kill("j0");
        cluster.settle();
        ClusterView view = cluster.get(new MirrorClusterReader(server.mirror(), "roundbin").cluster());
        assertEquals(new ClusterView.Counts(3, 2, 0, 1), view.counts());
        assertEquals("s1", view.leader().orElseThrow().id());
        assertEquals(List.of(server.self()), view.servers());
        assertEquals("following", view.store());
        assertEquals("roundbin", view.policy());
    }
}
