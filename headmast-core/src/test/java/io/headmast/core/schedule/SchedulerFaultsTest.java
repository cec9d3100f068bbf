// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two servers whose way to the store loses requests and answers, in random lives from seeds. The log of runs refuses a
 * job that runs twice at any moment; at the end, once the faults have stopped, exactly what should run does.
 */
final class SchedulerFaultsTest {
    private static final List<Fate> FATES = List.of(Fate.values());
    private static final int SEEDS = 25;
    private static final int EVENTS = 150;
    private static final int JOBS = 40;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void lostAnswersPlaceNothingTwiceAndLoseNothing(long seed) {
        var life = new Life(seed);
        for (int i = 0; i < EVENTS; i++) {
            life.event();
        }
        life.heal();
        assertEquals(life.wanted(), life.cluster.runs().running());
        assertEquals(
                life.jobs.values().stream().map(Job::id).toList(),
                life.cluster.names(life.cluster.keys().jobs()));
        life.cluster.names("/headmast/states/").forEach(id -> assertTrue(life.jobs.containsKey(id), id));
    }

    private static final class Life {
        private static final Duration HEALED = Duration.ofSeconds(60);

        final TestCluster cluster = new TestCluster();
        final TreeMap<String, Job> jobs = new TreeMap<>();
        private final Random random;
        private final List<TestServer> servers = new ArrayList<>();
        private final TreeMap<String, PoorWorker> workers = new TreeMap<>();

        Life(long seed) {
            random = new Random(seed);
            for (String id : List.of("s1", "s2")) {
                TestServer server = cluster.server(id);
                server.store().fates(txn -> random.nextInt(4) == 0 ? anyFate() : Fate.DELIVERED);
                server.store().latency(() -> Duration.ofMillis(random.nextInt(30)));
                servers.add(server.start());
            }
        }

        private Fate anyFate() {
            return FATES.get(random.nextInt(FATES.size()));
        }

        void event() {
            cluster.advance(Duration.ofMillis(random.nextInt(800)));
            TestServer server = servers.get(random.nextInt(servers.size()));
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> write("j" + random.nextInt(JOBS), JobStatus.CREATED);
                case 3 -> anyJob(JobStatus.KILLED);
                case 4 -> restart();
                case 5 -> anyJob(JobStatus.DELETING);
                case 6, 7 -> join("w" + random.nextInt(4));
                case 8 -> die();
                case 9 -> server.store().breakWatches();
                case 10 -> server.store().cut();
                case 11, 12 -> server.store().heal();
                default -> pauseOrResume(server);
            }
        }

        private void pauseOrResume(TestServer server) {
            if (random.nextBoolean()) {
                server.loop().pause();
            } else {
                server.loop().resume();
            }
        }

        private void write(String id, JobStatus status) {
            Job old = jobs.get(id);
            if (old == null ? cluster.read(cluster.keys().state(id)).isPresent() : old.status() == JobStatus.DELETING) {
                return;
            }
            Job next = (old == null ? Samples.job(id) : old)
                    .toBuilder().status(status).build();
            jobs.put(id, next);
            cluster.submit(next);
        }

        private void anyJob(JobStatus status) {
            if (!jobs.isEmpty()) {
                write(
                        jobs.keySet().stream()
                                .skip(random.nextInt(jobs.size()))
                                .findFirst()
                                .orElseThrow(),
                        status);
            }
        }

        private void restart() {
            String id = "j" + random.nextInt(JOBS);
            Job old = jobs.get(id);
            if (old != null && old.status() == JobStatus.CREATED) {
                jobs.put(id, old.toBuilder().generation(old.generation() + 1).build());
                cluster.submit(jobs.get(id));
            }
        }

        private void join(String id) {
            if (!workers.containsKey(id)
                    && cluster.read(cluster.keys().worker(id)).isEmpty()) {
                workers.put(id, cluster.worker(Samples.worker(id)));
                cluster.advance(Duration.ofMillis(10));
            }
        }

        private void die() {
            if (!workers.isEmpty()) {
                workers.pollFirstEntry().getValue().kill9();
            }
        }

        void heal() {
            for (TestServer server : servers) {
                server.store().heal();
                server.loop().resume();
                server.store().fates(txn -> Fate.DELIVERED);
            }
            // Past the lapse of every worker that died.
            cluster.advance(Duration.ofSeconds(15));
            join("w9");
            cluster.advance(HEALED);
            jobs.values().removeIf(job -> job.status() == JobStatus.DELETING);
        }

        /** What should run, each in its latest generation. */
        List<String> wanted() {
            List<String> ids = new ArrayList<>();
            for (Job job : jobs.values()) {
                if (job.status() == JobStatus.CREATED) {
                    RunState state = cluster.state(job.id()).orElseThrow();
                    assertEquals(job.generation(), state.generation());
                    assertEquals(Phase.RUNNING, state.phase());
                    ids.add(job.id());
                }
            }
            return ids;
        }
    }
}
