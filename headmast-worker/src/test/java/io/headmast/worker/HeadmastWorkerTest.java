// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A whole worker on a store in memory: what its host gets to see. */
class HeadmastWorkerTest {
    private final LeaderByHand leader = new LeaderByHand();
    private final List<HeadmastWorker> workers = new ArrayList<>();

    @AfterEach
    void close() {
        workers.forEach(HeadmastWorker::close);
        leader.close();
    }

    @Test
    void placedJobRunsAndIsReportedAndKilled() {
        start(builder().handler("default", (JobHandler) BlockingHandlerTest::waitFor));
        long epoch = leader.place(Samples.job("j"));

        RunState running = leader.await("j", Phase.RUNNING);
        assertEquals(epoch, running.epoch());
        assertEquals(1, running.attempt());
        assertEquals(List.of("j"), workers.get(0).runningJobs());
        leader.kill("j", epoch);

        assertEquals("killed", leader.await("j", Phase.KILLED).reason());
        assertFalse(leader.isAssigned("j"));
    }

    @Test
    void jobOfAnUnservedDomainIsHandedBackWithTheReason() {
        start(builder().handler("chains", (JobHandler) BlockingHandlerTest::waitFor));
        leader.place(Samples.job("j"));

        RunState back = leader.await("j", Phase.PENDING);

        assertEquals("no handler for domain default", back.handBacks().get(0).reason());
    }

    @Test
    void jobsBeyondTheHandlersThreadsAreHandedBackThoughTheyCameTogether() {
        WorkerContext context = LeaderByHand.context()
                .limits(new WorkerContext.Limits(2, LeaderByHand.LIMIT, LeaderByHand.LIMIT, LeaderByHand.LIMIT))
                .build();
        start(HeadmastWorker.builder(context).store(leader.store).handler((JobHandler) BlockingHandlerTest::waitFor));
        for (String id : List.of("a", "b", "c", "d", "e")) {
            leader.place(Samples.job(id));
        }

        List<Phase> phases = new ArrayList<>();
        for (String id : List.of("a", "b", "c", "d", "e")) {
            phases.add(
                    leader.await(id, state -> state.phase() != Phase.SCHEDULED).phase());
        }
        assertEquals(2, phases.stream().filter(Phase.RUNNING::equals).count(), phases::toString);
        assertEquals(3, phases.stream().filter(Phase.PENDING::equals).count(), phases::toString);
    }

    @Test
    void retrievedJobComesCreatedAndThenKilled() {
        List<Job> jobs = new CopyOnWriteArrayList<>();
        List<Throwable> errors = new CopyOnWriteArrayList<>();
        start(builder().retrieveJobs(jobs::add, errors::add));
        Job job = Samples.job("j").toBuilder().payload("work").build();
        long epoch = leader.place(job);
        leader.await("j", Phase.RUNNING);
        leader.kill("j", epoch);
        leader.await("j", Phase.KILLED);

        assertEquals(List.of(job, job.toBuilder().status(JobStatus.KILLED).build()), jobs);
        assertEquals(List.of(), errors);
    }

    @Test
    void lostLeaseStopsEverythingTellsTheHostAndLeadsToANewRegistration() {
        AtomicInteger stopped = new AtomicInteger();
        List<String> lost = new CopyOnWriteArrayList<>();
        HeadmastWorker worker = start(builder()
                .handler((JobHandler) context -> {
                    try {
                        BlockingHandlerTest.waitFor(context);
                    } finally {
                        stopped.incrementAndGet();
                    }
                })
                .onOwnershipLost(reason -> {
                    lost.add(reason);
                    throw new IllegalStateException("a host's mistake");
                }));
        leader.place(Samples.job("j"));
        leader.await("j", Phase.RUNNING);
        long lease = leader.registration().orElseThrow().lease();

        Await.value(leader.store.revokeLease(lease), LeaderByHand.LIMIT);

        Await.until(
                "it registers anew",
                LeaderByHand.LIMIT,
                () -> leader.registration()
                        .filter(item -> item.lease() != lease)
                        .isPresent());
        assertEquals(List.of("the lease is gone"), lost);
        assertEquals(1, stopped.get());
        Await.until("it runs", LeaderByHand.LIMIT, worker::isRunning);
        leader.place(Samples.job("k"));
        leader.await("k", Phase.RUNNING);
    }

    @Test
    void secondLiveWorkerOfThatIdIsRefused() {
        start(builder().handler((JobHandler) BlockingHandlerTest::waitFor));

        HeadmastException.Conflict refused = assertThrows(
                HeadmastException.Conflict.class,
                () -> builder()
                        .handler((JobHandler) BlockingHandlerTest::waitFor)
                        .start());

        assertTrue(refused.detail().startsWith("worker id w is in use by a live worker"), refused::detail);
        assertTrue(workers.get(0).isRunning());
    }

    @Test
    void handlersAreCheckedBeforeAnythingStarts() {
        assertEquals(
                "a worker needs at least one handler",
                assertThrows(HeadmastException.Invalid.class, () -> builder().start())
                        .detail());
        HeadmastWorker.Builder taken = builder().handler("a", (JobHandler) context -> {});
        assertThrows(HeadmastException.Invalid.class, () -> taken.handler("a", (JobHandler) context -> {}));
        assertThrows(HeadmastException.Invalid.class, () -> taken.handler("a b", (JobHandler) context -> {}));
    }

    @Test
    void closedWorkerAnswersAsOneThatRunsNothing() throws InterruptedException {
        HeadmastWorker worker = start(builder().handler((JobHandler) BlockingHandlerTest::waitFor));

        worker.close();
        worker.close();

        worker.awaitTermination();
        assertFalse(worker.isRunning());
        assertEquals(List.of(), worker.runningJobs());
        assertTrue(leader.registration().isEmpty());
    }

    private HeadmastWorker.Builder builder() {
        return HeadmastWorker.builder(LeaderByHand.context().build()).store(leader.store);
    }

    private HeadmastWorker start(HeadmastWorker.Builder builder) {
        HeadmastWorker worker = builder.start();
        workers.add(worker);
        return worker;
    }
}
