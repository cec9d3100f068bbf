// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.core.store.Op;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of jobs: pages, filters, and reading what one has written. */
final class JobListTest {
    private final TestCluster cluster = new TestCluster();
    private final TestServer server = cluster.server("s1");
    private final StoreJobManager jobs = new StoreJobManager(server.store(), server.mirror());

    private void start() {
        server.start();
        cluster.settle();
    }

    private List<String> list(JobQuery query) {
        return ids(cluster.get(jobs.getJobs(query)));
    }

    private static List<String> ids(JobPage page) {
        return page.items().stream().map(view -> view.job().id()).toList();
    }

    @Test
    void pagesFollowEachOtherByIdWithoutGapsOrRepeats() {
        start();
        cluster.submitMany("j", 250);
        cluster.settle();
        List<String> all = new ArrayList<>();
        JobQuery query = JobQuery.ALL.withLimit(100);
        JobPage page = cluster.get(jobs.getJobs(query));
        assertEquals(100, page.items().size());
        all.addAll(ids(page));
        while (page.next().isPresent()) {
            page = cluster.get(jobs.getJobs(query.from(page.next().get())));
            all.addAll(ids(page));
        }
        assertEquals(cluster.names(cluster.keys().jobs()), all);
    }

    @Test
    void lastPageThatIsFullHasNoNext() {
        start();
        cluster.submitMany("j", 100);
        cluster.settle();
        assertTrue(cluster.get(jobs.getJobs(JobQuery.ALL)).next().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void jobThatExistsAllTheTimeIsSeenOnceWhateverElseChanges(long seed) {
        start();
        var random = new Random(seed);
        for (int i = 0; i < 100; i += 2) {
            cluster.submit(Samples.job(String.format("j%03d", i)));
        }
        cluster.settle();
        List<String> seen = new ArrayList<>();
        JobQuery query = JobQuery.ALL.withLimit(7);
        JobPage page = cluster.get(jobs.getJobs(query));
        seen.addAll(ids(page));
        while (page.next().isPresent()) {
            String odd = String.format("j%03d", 1 + 2 * random.nextInt(50));
            cluster.commit(
                    random.nextBoolean()
                            ? Op.delete(cluster.keys().job(odd))
                            : Op.put(
                                    cluster.keys().job(odd),
                                    Payload.wrap(Samples.job(odd).marshalBinary())));
            cluster.settle();
            page = cluster.get(jobs.getJobs(query.from(page.next().get())));
            seen.addAll(ids(page));
        }
        assertEquals(List.copyOf(new TreeSet<>(seen)), seen, "ascending, none twice");
        assertEquals(
                50,
                seen.stream()
                        .filter(id -> Integer.parseInt(id.substring(1)) % 2 == 0)
                        .count());
    }

    @Test
    void filtersHoldTogether() {
        start();
        PoorWorker worker = cluster.worker(Samples.worker("w1"));
        cluster.submit(
                Job.builder()
                        .id("a")
                        .domain("eu")
                        .labels(Map.of("tier", "1", "x", "y"))
                        .build(),
                Job.builder().id("b").domain("eu").labels(Map.of("tier", "2")).build(),
                Job.builder().id("c").domain("us").labels(Map.of("tier", "1")).build(),
                Job.builder().id("d").domain("eu").status(JobStatus.KILLED).build());
        cluster.settle();
        worker.finish("b", Phase.FAILED);
        cluster.settle();
        assertEquals(List.of("a", "b", "d"), list(JobQuery.ALL.withDomain("eu")));
        assertEquals(List.of("a", "c"), list(JobQuery.ALL.withLabels(Map.of("tier", "1"))));
        assertEquals(List.of("a"), list(JobQuery.ALL.withLabels(Map.of("tier", "1", "x", "y"))));
        assertEquals(List.of("d"), list(JobQuery.ALL.withStatus(JobStatus.KILLED)));
        assertEquals(List.of("d"), list(JobQuery.ALL.withPhase(Phase.KILLED)));
        assertEquals(List.of("b"), list(JobQuery.ALL.withPhase(Phase.FAILED)));
        assertEquals(
                List.of("a", "c"), list(JobQuery.ALL.withPhase(Phase.RUNNING).withWorker("w1")));
        assertEquals(List.of("a"), list(JobQuery.ALL.withDomain("eu").withPhase(Phase.RUNNING)));
        assertEquals(List.of(), list(JobQuery.ALL.withWorker("w2")));
    }

    @Test
    void jobThatDiedWithItsWorkerIsOnNoWorker() {
        start();
        PoorWorker worker = cluster.worker(Samples.worker("w1"));
        cluster.submit(Samples.job("a"));
        cluster.settle();
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(1));
        assertEquals(List.of(), list(JobQuery.ALL.withWorker("w1")));
        JobView view = cluster.get(jobs.getJobs(JobQuery.ALL)).items().get(0);
        assertEquals(Phase.PENDING, view.state().phase());
        assertEquals("no worker is live", view.state().reason());
    }

    @Test
    void pendingJobsSayWhy() {
        start();
        cluster.worker(Samples.worker("w1", 0));
        cluster.worker(Samples.serving("w2", "other"));
        cluster.worker(Samples.serving("w3", "other"));
        cluster.submit(Samples.job("a"));
        cluster.settle();
        JobView view = cluster.get(jobs.getJobs(JobQuery.ALL)).items().get(0);
        assertEquals(
                "2 workers: does not serve domain default; 1 worker: capacity 0 of 0 used",
                view.state().reason());
    }

    @Test
    void listCarriesPayloads() {
        start();
        cluster.submit(Job.builder().id("a").payload("work").build());
        cluster.settle();
        assertEquals(
                Payload.of("work"),
                cluster.get(jobs.getJobs(JobQuery.ALL)).items().get(0).job().payload());
    }

    @Test
    void writerReadsItsOwnWritesThoughTheMirrorLags() {
        start();
        server.store().holdWatches();
        var added = jobs.addJob(Samples.job("a"));
        cluster.advance(Duration.ofMillis(10));
        assertTrue(added.isDone());
        var listed = jobs.getJobs(JobQuery.ALL);
        cluster.advance(Duration.ofMillis(10));
        assertTrue(!listed.isDone(), "it waits for the mirror");
        server.store().heal();
        cluster.advance(Duration.ofMillis(10));
        assertEquals(List.of("a"), ids(cluster.get(listed)));
    }

    @Test
    void mirrorThatIsCutOffAnswersWithWhatItHasAfterAWhile() {
        start();
        server.store().holdWatches();
        var added = jobs.addJob(Samples.job("a"));
        cluster.advance(Duration.ofMillis(10));
        assertTrue(added.isDone());
        var listed = jobs.getJobs(JobQuery.ALL);
        cluster.advance(Duration.ofMillis(2010));
        assertTrue(listed.isDone());
    }

    @Test
    void orderIsSeenInTheNextList() {
        start();
        cluster.get(jobs.addJob(Samples.job("a")));
        cluster.get(jobs.controlJob("a", JobAction.KILL, OptionalLong.empty()));
        assertEquals(List.of("a"), list(JobQuery.ALL.withPhase(Phase.KILLED)));
    }

    @Test
    void listFailsWithTheStoreAndNotSilently() {
        start();
        cluster.submit(Samples.job("a"));
        cluster.settle();
        server.store().fates(txn -> Fate.REFUSED);
        var listed = jobs.getJobs(JobQuery.ALL);
        cluster.advance(Duration.ofSeconds(5));
        assertTrue(listed.isCompletedExceptionally());
    }
}
