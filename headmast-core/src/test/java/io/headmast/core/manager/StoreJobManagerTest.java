// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.store.Op;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands on jobs while nothing goes wrong. */
final class StoreJobManagerTest {
    private static final OptionalLong ANY = OptionalLong.empty();

    private final TestCluster cluster = new TestCluster();
    private final TestServer server = cluster.server("s1");
    private final StoreJobManager jobs = new StoreJobManager(server.store(), server.mirror());

    private PoorWorker startWithWorker() {
        server.start();
        PoorWorker worker = cluster.worker(Samples.worker("w1"));
        cluster.settle();
        return worker;
    }

    private JobView control(String jobId, JobAction action) {
        JobView view = cluster.get(jobs.controlJob(jobId, action, ANY));
        cluster.settle();
        return view;
    }

    private <X extends Throwable> X assertFails(Class<X> type, CompletableFuture<?> future) {
        return assertThrows(type, () -> cluster.get(future));
    }

    private void add(String... jobIds) {
        for (String jobId : jobIds) {
            cluster.get(jobs.addJob(Samples.job(jobId)));
        }
        cluster.settle();
    }

    @Test
    void addedJobIsDurableWhenItIsAcknowledged() {
        startWithWorker();
        Job job = Job.builder().id("a").payload("work").build();
        JobManager.Added added = cluster.get(jobs.addJob(job));
        assertTrue(added.created());
        assertEquals(job, added.view().job());
        assertEquals(Optional.of(job), cluster.job("a"));
        assertEquals(
                cluster.read("/headmast/jobs/a").orElseThrow().modRevision(),
                added.view().revision());
        assertEquals(Phase.PENDING, added.view().state().phase());
    }

    @Test
    void sameJobAddedAgainIsNoErrorAndAnotherIs() {
        startWithWorker();
        add("a");
        JobManager.Added again = cluster.get(jobs.addJob(Samples.job("a")));
        assertFalse(again.created());
        assertEquals(Phase.RUNNING, again.view().state().phase());
        Job other = Job.builder().id("a").payload("other").build();
        assertFails(HeadmastException.AlreadyExists.class, jobs.addJob(other));
        assertEquals(Optional.of(Samples.job("a")), cluster.job("a"));
    }

    @Test
    void jobThatIsBeingDeletedCanNotBeAddedYet() {
        PoorWorker worker = startWithWorker();
        add("a");
        worker.kill9();
        JobView view = cluster.get(jobs.removeJob("a"));
        assertEquals(JobStatus.DELETING, view.job().status());
        assertEquals(Phase.STOPPING, view.state().phase());
        assertFails(HeadmastException.Conflict.class, jobs.addJob(Samples.job("a")));
        for (JobAction action : JobAction.values()) {
            assertFails(HeadmastException.Conflict.class, jobs.controlJob("a", action, ANY));
        }
        assertFails(HeadmastException.Conflict.class, jobs.updateJob(Samples.job("a"), ANY));
        cluster.advance(TestCluster.TTL.plusSeconds(2));
        assertFails(HeadmastException.NotFound.class, jobs.getJob("a"));
        assertTrue(cluster.get(jobs.addJob(Samples.job("a"))).created());
    }

    @Test
    void orderThatStandsIsShownThoughNoLeaderHasPassedItOn() {
        startWithWorker();
        add("a", "b");
        var unused = server.scheduler().close();
        cluster.settle();
        JobView killed = control("a", JobAction.KILL);
        assertEquals(Phase.STOPPING, killed.state().phase());
        assertEquals("killed", killed.state().reason());
        assertEquals(Optional.of("w1"), killed.state().worker());
        assertEquals(Phase.STOPPING, control("b", JobAction.STOP).state().phase());
        assertEquals(List.of("a", "b"), cluster.runs().running());
    }

    @Test
    void whatIsLeftOfAnEarlierJobHasToGoFirst() {
        var unused = cluster.commit(Op.put("/headmast/states/a", Payload.of("garbage")));
        server.start();
        assertFails(HeadmastException.Conflict.class, jobs.addJob(Samples.job("a")));
    }

    @Test
    void removingIsIdempotentUntilTheJobIsGone() {
        startWithWorker();
        add("a");
        var first = jobs.removeJob("a");
        var second = jobs.removeJob("a");
        assertEquals(
                cluster.get(first).job().status(), cluster.get(second).job().status());
        cluster.settle();
        assertFails(HeadmastException.NotFound.class, jobs.removeJob("a"));
        assertEquals(List.of(), cluster.runs().running());
    }

    @ParameterizedTest
    @EnumSource(JobAction.class)
    void orderForAJobThatDoesNotExistIsRefused(JobAction action) {
        server.start();
        assertFails(HeadmastException.NotFound.class, jobs.controlJob("nobody", action, ANY));
    }

    @Test
    void killKeepsTheRecordAndAliveRunsItAgainInTheSameGeneration() {
        startWithWorker();
        add("a");
        assertEquals(JobStatus.KILLED, control("a", JobAction.KILL).job().status());
        assertEquals(Phase.KILLED, cluster.get(jobs.getJob("a")).state().phase());
        assertEquals(List.of(), cluster.runs().running());
        long revision = cluster.get(jobs.getJob("a")).revision();
        assertEquals(revision, control("a", JobAction.KILL).revision(), "a second kill writes nothing");
        assertEquals(1, control("a", JobAction.ALIVE).job().generation());
        assertEquals(List.of("a"), cluster.runs().running());
    }

    @Test
    void runningJobStaysUndisturbedByAliveAndStart() {
        startWithWorker();
        add("a");
        long revision = cluster.get(jobs.getJob("a")).revision();
        assertEquals(revision, control("a", JobAction.ALIVE).revision());
        assertEquals(revision, control("a", JobAction.START).revision());
        assertEquals(1, cluster.runs().starts("a"));
    }

    @ParameterizedTest
    @EnumSource(names = {"ALIVE", "START"})
    void endedJobRunsOnceMoreAsANewGeneration(JobAction action) {
        PoorWorker worker = startWithWorker();
        add("a");
        worker.finish("a", Phase.COMPLETED);
        cluster.settle();
        assertEquals(Phase.COMPLETED, cluster.get(jobs.getJob("a")).state().phase());
        assertEquals(2, control("a", action).job().generation());
        assertEquals(2, cluster.runs().starts("a"));
        assertEquals(2, control("a", action).job().generation(), "it runs now");
    }

    @Test
    void targetStatesFollowTheOrders() {
        startWithWorker();
        add("a");
        assertEquals(TargetState.INACTIVE, control("a", JobAction.STOP).job().targetState());
        assertEquals(Phase.INACTIVE, cluster.get(jobs.getJob("a")).state().phase());
        assertEquals(List.of(), cluster.runs().running());
        assertEquals(TargetState.LOADED, control("a", JobAction.LOAD).job().targetState());
        assertEquals(TargetState.LAUNCHED, control("a", JobAction.START).job().targetState());
        assertEquals(List.of("a"), cluster.runs().running());
        assertEquals(TargetState.INACTIVE, control("a", JobAction.UNLOAD).job().targetState());
        assertEquals(1, control("a", JobAction.UNLOAD).job().generation());
    }

    @ParameterizedTest
    @EnumSource(names = {"START", "LOAD", "RESTART"})
    void killedJobHasToBeMadeAliveFirst(JobAction action) {
        startWithWorker();
        add("a");
        control("a", JobAction.KILL);
        HeadmastException refusal = assertFails(HeadmastException.Conflict.class, jobs.controlJob("a", action, ANY));
        assertTrue(refusal.detail().contains("made alive"), refusal.detail());
    }

    @Test
    void restartIsANewGenerationEachTime() {
        startWithWorker();
        add("a");
        assertEquals(2, control("a", JobAction.RESTART).job().generation());
        assertEquals(3, control("a", JobAction.RESTART).job().generation());
        assertEquals(3, cluster.runs().starts("a"));
    }

    @Test
    void orderForAnotherRevisionIsRefused() {
        startWithWorker();
        add("a");
        long revision = cluster.get(jobs.getJob("a")).revision();
        assertFails(
                HeadmastException.PreconditionFailed.class,
                jobs.controlJob("a", JobAction.RESTART, OptionalLong.of(revision - 1)));
        JobView done = cluster.get(jobs.controlJob("a", JobAction.RESTART, OptionalLong.of(revision)));
        assertFails(
                HeadmastException.PreconditionFailed.class,
                jobs.controlJob("a", JobAction.RESTART, OptionalLong.of(revision)));
        assertFails(
                HeadmastException.PreconditionFailed.class,
                jobs.updateJob(Samples.job("a"), OptionalLong.of(revision)));
        assertEquals(2, done.job().generation());
    }

    @Test
    void updateKeepsTheGenerationUnlessTheWorkItselfChanged() {
        startWithWorker();
        add("a");
        Job labelled =
                Job.builder().id("a").labels(Map.of("k", "v")).generation(77).build();
        assertEquals(1, cluster.get(jobs.updateJob(labelled, ANY)).job().generation());
        cluster.settle();
        assertEquals(1, cluster.runs().starts("a"), "labels disturb nothing");
        Job other = labelled.toBuilder().payload("other").build();
        assertEquals(2, cluster.get(jobs.updateJob(other, ANY)).job().generation());
        Job moved = other.toBuilder().domain("elsewhere").build();
        assertEquals(3, cluster.get(jobs.updateJob(moved, ANY)).job().generation());
        assertEquals(3, cluster.get(jobs.updateJob(moved, ANY)).job().generation());
        cluster.settle();
        assertEquals(3, cluster.state("a").orElseThrow().generation());
    }

    @Test
    void changesByManyAtATimeAreAllMade() {
        startWithWorker();
        add("a");
        for (int i = 0; i < 10; i++) {
            var unused = jobs.controlJob("a", JobAction.RESTART, ANY);
        }
        cluster.settle();
        assertEquals(11, cluster.job("a").orElseThrow().generation());
    }

    @Test
    void unreadableRecordIsAConflictThatNamesIt() {
        server.start();
        cluster.settle();
        for (String value : List.of("garbage", "{\"id\":\"b\"}")) {
            cluster.commit(Op.put("/headmast/jobs/a", Payload.of(value)));
            HeadmastException refusal = assertFails(HeadmastException.Conflict.class, jobs.getJob("a"));
            assertTrue(refusal.detail().contains("job a"), refusal.detail());
            assertFails(HeadmastException.Conflict.class, jobs.controlJob("a", JobAction.KILL, ANY));
            assertFails(HeadmastException.Conflict.class, jobs.addJob(Samples.job("a")));
        }
    }

    @Test
    void jobIsShownWithItsPayloadAndItsRun() {
        startWithWorker();
        cluster.get(jobs.addJob(Job.builder().id("a").payload("work").build()));
        cluster.settle();
        JobView view = cluster.get(jobs.getJob("a"));
        assertEquals(Payload.of("work"), view.job().payload());
        assertEquals(Phase.RUNNING, view.state().phase());
        assertEquals(Optional.of("w1"), view.state().worker());
        assertEquals(1, view.state().attempt());
    }
}
