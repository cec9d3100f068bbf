// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobPath;
import io.headmast.api.JobStatus;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of jobs on a cluster in trouble, watched from random revisions through servers that come and go: each
 * watch is told exactly what the store's history says.
 */
final class FeedHistoryTest {
    private static final int STEPS = 150;
    private static final int FOLLOWERS = 12;
    private static final List<String> DOMAINS = List.of("default", "eu", "us");

    private final TestCluster cluster = new TestCluster();
    private final List<Served> servers = new ArrayList<>();
    private final List<PoorWorker> workers = new ArrayList<>();
    private final List<Follower> followers = new ArrayList<>();
    private final Map<Follower, Served> at = new HashMap<>();
    private Random random = new Random(0);
    private int made;

    private record Served(TestServer server, StoreJobFeed feed) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void everyWatchTellsTheHistoryOfTheStore(long seed) {
        random = new Random(seed);
        serve();
        serve();
        hire();
        hire();
        cluster.settle();
        for (int i = 0; i < STEPS; i++) {
            act();
            cluster.advance(Duration.ofMillis(random.nextInt(300)));
            followSome();
        }
        servers.forEach(served -> served.server.store().heal());
        long last = cluster.revision();
        for (int i = 0; i < 200 && followers.stream().anyMatch(follower -> follower.position() < last); i++) {
            cluster.advance(Duration.ofMillis(200));
            followers.forEach(follower -> follower.read(1000));
        }
        ToldHistory history = new ToldHistory(cluster.keys(), this::listing);
        int all = 0;
        for (Follower follower : followers) {
            assertTrue(follower.position() >= last, "stuck at " + follower.position() + " of " + last);
            assertEquals(history.told(follower.path, follower.from, follower.position()), follower.told);
            all += follower.told.size();
        }
        assertTrue(all > 1000, "only " + all + " changes");
    }

    private List<KeyValue> listing(long revision) {
        KeyRange prefix = KeyRange.prefix(cluster.keys().all());
        return cluster.get(cluster.store().range(new RangeRequest(prefix, 0, revision)))
                .items();
    }

    private void serve() {
        TestServer server = cluster.server("s" + made++);
        servers.add(new Served(server, new StoreJobFeed(server.store(), server.mirror(), server.loop())));
        server.start();
    }

    private void hire() {
        workers.add(cluster.worker(Samples.worker("w" + made++, 8)));
    }

    private void act() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> submit();
            case 3, 4 -> changeOne(job -> job.payload(payload()));
            case 5 -> changeOne(job -> job.domain(any(DOMAINS)));
            case 6 -> changeOne(job -> job.status(JobStatus.KILLED));
            case 7 -> changeOne(job -> job.status(JobStatus.CREATED).generation(100 + made++));
            case 8, 9 -> changeOne(job -> job.status(JobStatus.DELETING));
            case 10 -> any(workers).finish(anyJob(), Phase.COMPLETED);
            case 11 -> shortLife();
            case 12 -> replaceWorker();
            case 13 -> disturb(any(servers));
            case 14 -> restart();
            default -> any(servers).server.store().heal();
        }
    }

    private void submit() {
        Job[] jobs = new Job[1 + random.nextInt(3)];
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = Job.builder()
                    .id("j" + random.nextInt(30) + "-" + i)
                    .domain(any(DOMAINS))
                    .payload(payload())
                    .build();
        }
        cluster.submit(jobs);
    }

    private Payload payload() {
        return Payload.of("payload " + made++ + "x".repeat(random.nextInt(3) * 1000));
    }

    private interface Edit {
        Job.Builder apply(Job.Builder job);
    }

    private void changeOne(Edit edit) {
        String id = anyJob();
        if (cluster.job(id).isPresent()) {
            cluster.change(id, edit::apply);
        }
    }

    private String anyJob() {
        List<String> names = cluster.names(cluster.keys().jobs());
        return names.isEmpty() ? "none" : any(names);
    }

    /** Comes and goes while some mirror may not look. */
    private void shortLife() {
        cluster.submit(Samples.job("short"));
        cluster.commit(Op.delete(cluster.keys().job("short")));
    }

    private void replaceWorker() {
        workers.remove(random.nextInt(workers.size())).kill9();
        hire();
    }

    private void disturb(Served served) {
        switch (random.nextInt(3)) {
            case 0 -> served.server.store().breakWatches();
            case 1 -> served.server.store().holdWatches();
            default -> {
                served.server.store().cut();
                cluster.advance(Duration.ofMillis(random.nextInt(5000)));
                shortLife();
                served.server.store().heal();
            }
        }
    }

    private void restart() {
        Served old = servers.remove(random.nextInt(servers.size()));
        old.feed.close();
        old.server.kill9();
        serve();
        cluster.advance(Duration.ofSeconds(random.nextInt(12)));
        for (Follower follower : followers) {
            if (old.equals(at.get(follower))) {
                goOn(follower);
            }
        }
    }

    private void goOn(Follower follower) {
        Served next = any(servers);
        follower.goOnWith(open(next, follower.path, follower.position()));
        at.put(follower, next);
    }

    private JobWatch open(Served served, JobPath path, long after) {
        served.server.store().heal();
        return cluster.get(served.feed.watch(path, OptionalLong.of(after)));
    }

    private void followSome() {
        if (followers.size() < FOLLOWERS && random.nextInt(4) == 0) {
            JobPath path = any(List.of(JobPath.ALL, JobPath.domain(any(DOMAINS)), JobPath.job(anyJob())));
            long from = 1 + random.nextLong(cluster.revision());
            Served served = any(servers);
            Follower follower = new Follower(path, from, open(served, path, from));
            followers.add(follower);
            at.put(follower, served);
        }
        for (Follower follower : followers) {
            if (random.nextInt(3) == 0) {
                follower.read(random.nextInt(40));
            } else if (random.nextInt(20) == 0) {
                goOn(follower);
            }
        }
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
