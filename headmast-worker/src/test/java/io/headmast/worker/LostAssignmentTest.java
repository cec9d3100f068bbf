// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Assignment;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.store.Op;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.VirtualLoop;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A worker whose watch passed over an assignment, which no store may do, and some have done. */
class LostAssignmentTest {
    private static final String WORKER = "w";
    private static final String JOB = "j";

    private final TestCluster cluster = new TestCluster();
    private final Keys keys = cluster.keys();
    private final FaultyStore way = cluster.wayToStore();

    @Test
    void killOrderIsCarriedOutInsteadOfBeingDroppedOverAndOver() {
        start();
        way.loseEvents(event -> event instanceof WatchEvent.Put && event.key().equals(keys.assignment(WORKER, JOB)));
        long epoch = place();
        long before = cluster.revision();
        kill(epoch);
        cluster.settle();

        assertEquals(Optional.of(Phase.KILLED), cluster.state(JOB).map(RunState::phase));
        assertEquals(List.of(), cluster.names(keys.workerTree(WORKER)));
        assertTrue(cluster.revision() - before <= 2, "written " + (cluster.revision() - before) + " times");
    }

    @Test
    void orderAboutNothingIsDropped() {
        start();
        kill(7);
        cluster.settle();

        assertEquals(List.of(), cluster.names(keys.workerTree(WORKER)));
    }

    private void start() {
        VirtualLoop time = cluster.time();
        MirrorOptions mirror = MirrorOptions.standard(new Random(1));
        new VirtualWorker(
                        new VirtualWorker.Identity(keys, Samples.worker(WORKER), TestCluster.TTL),
                        way,
                        new VirtualWorker.Loops(time, time, time, mirror),
                        new VirtualWorker.Work(new Idle(), time, UnitFlaw.NONE),
                        new Nobody())
                .start();
        cluster.settle();
    }

    private long lease() {
        return cluster.read(keys.worker(WORKER)).orElseThrow().lease();
    }

    private long place() {
        Job job = Samples.job(JOB);
        RunState state = RunState.unplaced(Phase.SCHEDULED, 1, 0, Instant.EPOCH, "placed")
                .withWorker(Optional.of(WORKER), 0);
        Assignment assignment = new Assignment(TargetState.LAUNCHED);
        return cluster.commit(
                        Op.put(keys.job(JOB), Json.toPayload(job.toJson())),
                        Op.put(keys.state(JOB), state.toPayload()),
                        Op.put(keys.assignment(WORKER, JOB), Json.toPayload(assignment.toJson()), lease()))
                .revision();
    }

    private void kill(long epoch) {
        KillOrder order = new KillOrder(epoch, Phase.KILLED, "killed");
        cluster.commit(Op.put(keys.killer(WORKER, JOB), Json.toPayload(order.toJson()), lease()));
    }

    private static final class Idle implements LifecycleHandler {
        @Override
        public void start(JobContext context) {}

        @Override
        public void stop(JobContext context) {}
    }

    private static final class Nobody implements VirtualWorker.Watcher {
        @Override
        public void registered() {}

        @Override
        public void refused(HeadmastException why) {}

        @Override
        public void fenced(String reason) {}

        @Override
        public void starts(Job job, long epoch, int attempt) {}
    }
}
