// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.client.HeadmastClient;
import io.headmast.client.JobWatch;
import io.headmast.client.WatchOptions;
import io.headmast.client.WatchPathHandler;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client is told that watches, whatever becomes of the servers meanwhile. */
abstract class WatchScenarios {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The last job that a test creates: what was told before it is all that had to be told. */
    private static final String LAST = "z-last";

    private InProcessCluster cluster;
    private HeadmastService first;
    private HeadmastService second;
    private HeadmastClient client;

    /** A connection to the store, which is closed with what uses it. */
    abstract KeyValueStore connect();

    /** Ends the store, when nothing is connected any more. */
    void closeStore() {}

    /** Keeps what is told, a line for each change. */
    private static final class Told implements WatchPathHandler {
        final List<String> changes = new CopyOnWriteArrayList<>();

        @Override
        public void changed(JobPath path, JobView view, ChangeReason change) {
            changes.add(change + " " + view.toJson());
        }

        void await(String job) {
            Await.until(
                    job + " is told",
                    PATIENCE,
                    () -> String.join("\n", changes),
                    () -> changes.stream().anyMatch(line -> line.contains("\"" + job + "\"")));
        }

        List<String> upTo(String job) {
            int end = 0;
            while (!changes.get(end).contains("\"" + job + "\"")) {
                end++;
            }
            return changes.subList(0, end + 1);
        }

        /** What became of one job. */
        List<String> of(String job) {
            return changes.stream()
                    .filter(line -> line.contains("\"id\":\"" + job + "\""))
                    .toList();
        }
    }

    @BeforeEach
    void start() {
        cluster = new InProcessCluster(this::connect);
        first = cluster.server("s1", "roundbin");
        second = cluster.server("s2", "roundbin");
        client = cluster.client(first, second);
        cluster.worker("w1");
    }

    @AfterEach
    void close() {
        cluster.close();
        closeStore();
    }

    private void create(String id, String domain) {
        client.createNewJob(Job.builder().id(id).domain(domain).build());
    }

    private void awaitRunning(int count) {
        Await.until(count + " run", PATIENCE, () -> cluster.stage.size() == count);
    }

    @Test
    void everyChangeOfADomainAndOfAJobIsToldOnceAndInOrderAcrossTheEndOfAServer() {
        Told domain = new Told();
        Told job = new Told();
        JobWatch ofDomain = client.watchJobPath("domain/eu", domain);
        JobWatch ofJob = client.watchJobPath("j3", job);
        long began = ofDomain.revision();
        for (int i = 0; i < 10; i++) {
            create("j" + i, i % 2 == 0 ? "us" : "eu");
        }
        awaitRunning(10);
        first.close();
        for (int i = 0; i < 6; i++) {
            client.controlJob("j" + i, JobAction.KILL);
        }
        awaitRunning(4);
        client.deleteJob("j3");
        client.deleteJob("j5");
        Await.until(
                "deleted",
                PATIENCE,
                () -> client.getJob("j3").isEmpty() && client.getJob("j5").isEmpty());
        create(LAST, "eu");
        domain.await(LAST);

        // The history as another client reads it afterwards, in one piece, from the server that is left.
        Told after = new Told();
        HeadmastClient other = cluster.client(second);
        JobWatch again = other.watchJobPath(JobPath.domain("eu"), WatchOptions.DEFAULT.after(began), after);
        after.await(LAST);
        assertEquals(after.upTo(LAST), domain.upTo(LAST));
        assertEquals(after.of("j3"), job.changes);
        assertTrue(job.changes.get(0).startsWith("ADDED"), job.changes::toString);
        assertTrue(job.changes.get(job.changes.size() - 1).startsWith("DELETED"), job.changes::toString);
        assertEquals(List.of(), domain.of("j2"), "of another domain");
        assertFalse(ofJob.whenEnded().isDone());
        ofJob.close();
        ofDomain.close();
        again.close();
    }

    @Test
    void aClientGoesOnWhereAnEarlierOneStood() {
        Told earlier = new Told();
        JobWatch watch = client.watchJobPath("", earlier);
        create("a", "eu");
        earlier.await("a");
        awaitRunning(1);
        watch.close();
        Await.until("closed", PATIENCE, () -> watch.whenEnded().isDone());
        int told = earlier.changes.size();
        create(LAST, "eu");
        Told later = new Told();
        JobWatch next = client.watchJobPath(JobPath.ALL, WatchOptions.DEFAULT.after(watch.revision()), later);
        later.await(LAST);
        assertEquals(told, earlier.changes.size(), "a closed watch tells nothing");
        assertEquals(
                1,
                later.of(LAST).stream().filter(line -> line.startsWith("ADDED")).count());
        assertTrue(later.changes.stream().noneMatch(earlier.changes::contains), later.changes::toString);
        next.close();
    }

    @Test
    void aClientThatComesAfterACompactionIsToldToStartAgain() throws Exception {
        Told told = new Told();
        JobWatch watch = client.watchJobPath("", told);
        long early = watch.revision();
        create("a", "eu");
        awaitRunning(1);
        create(LAST, "eu");
        told.await(LAST);
        try (KeyValueStore store = connect()) {
            store.compact(watch.revision()).get();
        }
        // A server that was there all the time still knows; one that comes now has only what the store has.
        HeadmastClient late = cluster.client(cluster.server("s3", "roundbin"));
        assertThrows(
                HeadmastException.Gone.class,
                () -> late.watchJobPath(JobPath.ALL, WatchOptions.DEFAULT.after(early), new Told()));
        create("zz", "eu");
        told.await("zz");
        assertFalse(watch.whenEnded().isDone(), "one that keeps up goes on");
        watch.close();
    }
}
