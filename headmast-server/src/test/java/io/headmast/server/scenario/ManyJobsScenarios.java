// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobQuery;
import io.headmast.api.JobSelector;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many jobs at once, through the SDK and REST. */
abstract class ManyJobsScenarios {
    private static final Duration LATENCY = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private InProcessCluster cluster;
    private HeadmastClient client;

    /** A connection to the store, which is closed with what uses it. */
    abstract KeyValueStore connect();

    /** Ends the store, when nothing is connected any more. */
    void closeStore() {}

    @BeforeEach
    void start() {
        cluster = new InProcessCluster(this::connect);
        client = cluster.client(cluster.server("s1", "roundbin"));
    }

    @AfterEach
    void close() {
        cluster.close();
        closeStore();
    }

    private static List<Job> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Job.builder()
                        .id(String.format("j%05d", i))
                        .domain(i % 100 == 0 ? "rare" : "common")
                        .labels(Map.of("shard", Integer.toString(i % 10)))
                        .build())
                .toList();
    }

    private static void assertAll(int status, int count, List<JobOutcome> outcomes) {
        assertEquals(count, outcomes.size());
        assertEquals(
                List.of(),
                outcomes.stream().filter(outcome -> outcome.status() != status).toList());
    }

    @Test
    void manyJobsAreCreatedOrderedAndDeleted() {
        cluster.worker("w1");
        cluster.worker("w2");
        List<Job> jobs = many(1_500);
        assertAll(201, 1_500, client.createNewJobs(jobs));
        assertAll(200, 1_500, client.createNewJobs(jobs));
        Await.until("all run", PATIENCE, () -> cluster.stage.running().size() == 1_500);

        assertAll(200, 15, client.controlJobs(JobSelector.NONE.withDomain("rare"), JobAction.KILL));
        Await.until("they stop", PATIENCE, () -> cluster.stage.running().size() == 1_485);
        JobSelector killed = JobSelector.NONE.withStatus(JobStatus.KILLED);
        assertAll(200, 15, client.controlJobs(killed, JobAction.ALIVE));
        Await.until("they run again", PATIENCE, () -> cluster.stage.running().size() == 1_500);
        assertAll(200, 150, client.controlJobs(JobSelector.NONE.withLabels(Map.of("shard", "3")), JobAction.RESTART));
        assertAll(
                409,
                150,
                client.createNewJobs(jobs.stream()
                        .filter(job -> job.labels().containsValue("3"))
                        .map(job -> job.toBuilder().weight(7).build())
                        .toList()));

        assertAll(202, 1_500, client.deleteJobs(JobSelector.ALL));
        Await.until("all are gone", PATIENCE, () -> !client.getJobs().iterator().hasNext());
        assertEquals(List.of(), cluster.stage.violations());
    }

    @Test
    void filteredListsShowExactlyWhatMatches() {
        cluster.worker("w1");
        List<Job> jobs = many(300);
        assertAll(201, 300, client.createNewJobs(jobs));
        Await.until("all run", PATIENCE, () -> cluster.stage.running().size() == 300);
        Await.until(
                "all are said to run",
                PATIENCE,
                () -> client.getJobs(JobQuery.ALL.withPhase(Phase.RUNNING).withLimit(7))
                                .toList()
                                .size()
                        == 300);
        assertEquals(3, client.getJobsWithDomain("rare").toList().size());
        List<JobView> placed =
                client.getJobs(JobQuery.ALL.withWorker("w1").withLimit(1000)).toList();
        assertEquals(
                jobs.stream().map(Job::id).toList(),
                placed.stream().map(view -> view.job().id()).toList());
        assertEquals(
                30,
                client.getJobs(JobQuery.ALL.withDomain("common").withLabels(Map.of("shard", "1")))
                        .toList()
                        .size());
    }

    @Test
    void largeRecordsAreCreatedListedAndOrdered() {
        List<Job> jobs = IntStream.range(0, 40)
                .mapToObj(i -> Job.builder()
                        .id(String.format("large%02d", i))
                        .payload(Payload.wrap(new byte[512 * 1024]))
                        .build())
                .toList();
        assertAll(201, 40, client.createNewJobs(jobs));
        assertEquals(40, client.getJobs(JobQuery.ALL.withLimit(1000)).toList().size());
        assertAll(200, 40, client.controlJobs(JobSelector.ALL, JobAction.STOP));
    }

    @Test
    void namedJobsThatAreMissingSaySo() {
        client.createNewJob(Job.builder().id("a").build());
        List<JobOutcome> outcomes = client.controlJobs(JobSelector.ids(List.of("b", "a")), JobAction.KILL);
        assertEquals(
                List.of(200, 404), outcomes.stream().map(JobOutcome::status).toList());
        assertThrows(HeadmastException.Invalid.class, () -> client.controlJobs(JobSelector.NONE, JobAction.KILL));
    }

    @Test
    void concurrentSinglePostsShareTransactions() {
        CountingStore store = new CountingStore(connect(), true, LATENCY);
        HeadmastService slow = cluster.server("s2", "roundbin", store);
        HeadmastClient posts = cluster.client(slow);
        posts.createNewJob(Job.builder().id("warm").build());
        long before = store.puts();
        List<CompletableFuture<JobView>> created = new ArrayList<>();
        many(64).forEach(job -> created.add(posts.async().createNewJob(job)));
        created.forEach(CompletableFuture::join);
        long sent = store.puts() - before;
        assertTrue(sent <= 32, sent + " transactions for 64 jobs");
        assertEquals(65, client.getJobs().toList().size());
    }
}
