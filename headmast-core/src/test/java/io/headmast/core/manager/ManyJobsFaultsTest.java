// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.BulkAction;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import io.headmast.api.JobQuery;
import io.headmast.api.JobSelector;
import io.headmast.api.JobStatus;
import io.headmast.api.Payload;
import io.headmast.api.TargetState;
import io.headmast.core.store.Op;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many jobs at once: how often the store is asked for them, and that every outcome is true whatever gets lost. */
final class ManyJobsFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(8);
    private static final List<Fate> FATES = List.of(Fate.values());

    private final TestCluster cluster = new TestCluster();
    private final FaultyStore way = cluster.wayToStore();
    private final TestServer server = cluster.server("s1");
    private final StoreJobManager jobs = new StoreJobManager(way, server.mirror());

    @BeforeEach
    void start() {
        server.start();
        cluster.settle();
    }

    private static List<Job> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Samples.job(String.format("j%05d", i)))
                .toList();
    }

    private List<JobOutcome> add(List<Job> added) {
        return cluster.get(jobs.addJobs(added, LIMIT));
    }

    private JobOutcomes order(BulkAction action, JobSelector selector) {
        return cluster.get(jobs.orderJobs(JobOrder.of(action, selector), LIMIT));
    }

    private static List<Integer> statuses(List<JobOutcome> outcomes) {
        return outcomes.stream().map(JobOutcome::status).toList();
    }

    private static List<String> ids(List<JobOutcome> outcomes) {
        return outcomes.stream().map(outcome -> outcome.id().orElseThrow()).toList();
    }

    @Test
    void concurrentCreatesNeedFewTransactions() {
        List<CompletableFuture<JobManager.Added>> added = new ArrayList<>();
        many(64).forEach(job -> added.add(jobs.addJob(job)));
        cluster.settle();
        assertTrue(added.stream().allMatch(one -> one.join().created()));
        assertEquals(SharedTxns.MAX_IN_FLIGHT + 1, way.txns());
        assertEquals(64, cluster.names(cluster.keys().jobs()).size());
    }

    @Test
    void tenThousandJobsTakeFewTransactionsAndKeepTheirOrder() {
        List<Job> given = many(10_000);
        List<JobOutcome> outcomes = add(given);
        assertEquals(given.stream().map(Job::id).toList(), ids(outcomes));
        assertTrue(outcomes.stream().allMatch(outcome -> outcome.status() == 201));
        assertTrue(way.txns() <= 10_000 / SharedTxns.MAX_SHARED + 20, way.txns() + " transactions");
        assertEquals(10_000, cluster.names(cluster.keys().jobs()).size());
    }

    @Test
    void oneBatchHoldsEveryOutcome() {
        cluster.get(server.scheduler().close());
        cluster.submit(
                Samples.job("same"),
                Samples.job("other"),
                Samples.job("going").toBuilder().status(JobStatus.DELETING).build());
        cluster.commit(
                Op.put(cluster.keys().state("leftover"), Payload.of("garbage")),
                Op.put(cluster.keys().job("broken"), Payload.of("garbage")),
                Op.put(cluster.keys().assignment("w9", "going"), Payload.of("{}")));
        List<Job> batch = new ArrayList<>(many(100));
        batch.add(Samples.job("same"));
        batch.add(Job.builder().id("other").weight(2).build());
        batch.add(Samples.job("going"));
        batch.add(Samples.job("leftover"));
        batch.add(Samples.job("broken"));
        batch.add(Samples.job("new"));
        batch.add(Samples.job("new"));
        batch.add(Job.builder().id("new").weight(2).build());
        batch.add(Job.builder()
                .id("large")
                .payload(Payload.wrap(new byte[2 << 20]))
                .build());
        List<JobOutcome> outcomes = add(batch);
        assertEquals(List.of(200, 409, 409, 409, 409, 201, 200, 409, 413), statuses(outcomes.subList(100, 109)));
        assertEquals(
                List.of("already-exists", "conflict", "conflict", "conflict"),
                outcomes.subList(101, 105).stream()
                        .map(outcome -> outcome.problem().orElseThrow().type())
                        .toList());
        assertTrue(outcomes.subList(0, 100).stream().allMatch(outcome -> outcome.status() == 201));
        for (JobOutcome outcome : outcomes) {
            if (outcome.status() == 201) {
                String key = cluster.keys().job(outcome.id().orElseThrow());
                assertEquals(cluster.read(key).orElseThrow().modRevision(), outcome.revision());
            }
        }
    }

    @Test
    void whatIsNotKnownInTimeIsInDoubt() {
        way.fates(txn -> Fate.REQUEST_LOST);
        List<JobOutcome> outcomes = add(many(ManyJobs.MAX_UNDER_WAY + 10));
        assertEquals(ManyJobs.MAX_UNDER_WAY + 10, outcomes.size());
        assertEquals(504, outcomes.get(0).status());
        assertTrue(outcomes.stream().allMatch(outcome -> outcome.status() == 504 || outcome.status() == 503));
    }

    @Test
    void orderToManyReadsAndWritesInFewTransactions() {
        cluster.submitMany("j", 1000);
        cluster.settle();
        long before = way.txns();
        JobOutcomes outcomes = order(BulkAction.KILL, JobSelector.ALL);
        assertEquals(cluster.names(cluster.keys().jobs()), ids(outcomes.items()));
        assertTrue(outcomes.items().stream().allMatch(outcome -> outcome.status() == 200));
        assertTrue(outcomes.next().isEmpty());
        assertTrue(way.txns() - before <= 60, (way.txns() - before) + " transactions");
        assertTrue(cluster.get(jobs.getJobs(JobQuery.ALL.withStatus(JobStatus.CREATED)))
                .items()
                .isEmpty());
    }

    @Test
    void pagesOfRecordsAreReadInFewTransactions() {
        cluster.submitMany("j", 1000);
        cluster.settle();
        var unused = cluster.get(jobs.getJobs(JobQuery.ALL.withLimit(1000)));
        long before = way.txns();
        assertEquals(
                1000,
                cluster.get(jobs.getJobs(JobQuery.ALL.withLimit(1000))).items().size());
        assertTrue(way.txns() - before <= 10, (way.txns() - before) + " transactions");
    }

    @Test
    void orderGoesOnWhereItsLimitEndedIt() {
        cluster.submitMany("j", 25);
        cluster.settle();
        List<String> all = new ArrayList<>();
        JobOrder order = new JobOrder(BulkAction.STOP, JobSelector.ALL, 10, Optional.empty());
        JobOutcomes page = cluster.get(jobs.orderJobs(order, LIMIT));
        all.addAll(ids(page.items()));
        while (page.next().isPresent()) {
            page = cluster.get(jobs.orderJobs(order.from(page.next().get()), LIMIT));
            all.addAll(ids(page.items()));
        }
        assertEquals(cluster.names(cluster.keys().jobs()), all);
        assertEquals(TargetState.INACTIVE, cluster.job("j7").orElseThrow().targetState());
    }

    @Test
    void conditionsHoldTogetherAndNamedJobsThatAreMissingSaySo() {
        cluster.submit(
                Job.builder().id("a").domain("eu").labels(Map.of("x", "1")).build(),
                Job.builder().id("b").domain("eu").build(),
                Job.builder().id("c").domain("us").labels(Map.of("x", "1")).build(),
                Job.builder().id("d").domain("eu").status(JobStatus.KILLED).build());
        cluster.settle();
        JobOutcomes named = order(BulkAction.KILL, JobSelector.ids(List.of("c", "nobody")));
        assertEquals(List.of("c", "nobody"), ids(named.items()));
        assertEquals(List.of(200, 404), statuses(named.items()));
        JobSelector both = JobSelector.NONE.withDomain("eu").withLabels(Map.of("x", "1"));
        assertEquals(List.of("a"), ids(order(BulkAction.STOP, both).items()));
        JobSelector among = JobSelector.ids(List.of("b", "c", "nobody")).withDomain("eu");
        assertEquals(List.of("b"), ids(order(BulkAction.STOP, among).items()));
        JobOutcomes restarted = order(BulkAction.RESTART, JobSelector.NONE.withDomain("eu"));
        assertEquals(List.of("a", "b", "d"), ids(restarted.items()));
        assertEquals(List.of(200, 200, 409), statuses(restarted.items()));
    }

    @Test
    void deletionOfManyIsAcceptedJobByJob() {
        cluster.submitMany("j", 200);
        cluster.settle();
        JobOutcomes outcomes = order(BulkAction.DELETE, JobSelector.ALL);
        assertTrue(outcomes.items().stream().allMatch(outcome -> outcome.status() == 202));
        cluster.settle();
        assertEquals(List.of(), cluster.names(cluster.keys().jobs()));
        assertEquals(List.of(), order(BulkAction.DELETE, JobSelector.ALL).items());
    }

    @Test
    void removalOfAJobThatSomebodyElseRemovesMeanwhileIsASuccess() {
        cluster.submitMany("j", 50);
        cluster.settle();
        CompletableFuture<JobOutcomes> one = jobs.orderJobs(JobOrder.of(BulkAction.DELETE, JobSelector.ALL), LIMIT);
        CompletableFuture<JobOutcomes> other = jobs.orderJobs(JobOrder.of(BulkAction.DELETE, JobSelector.ALL), LIMIT);
        cluster.settle();
        assertEquals(statuses(one.join().items()), statuses(other.join().items()));
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void outcomesOfCreatesAreTrueUnderRandomFates(long seed) {
        var random = new Random(seed);
        way.fates(txn -> random.nextInt(3) == 0 ? FATES.get(random.nextInt(FATES.size())) : Fate.DELIVERED);
        List<Job> given = new ArrayList<>(many(300));
        given.addAll(many(20));
        List<JobOutcome> outcomes = add(given);
        cluster.advance(Duration.ofSeconds(10));
        assertEquals(given.stream().map(Job::id).toList(), ids(outcomes));
        for (int i = 0; i < given.size(); i++) {
            JobOutcome outcome = outcomes.get(i);
            boolean stored = cluster.job(given.get(i).id()).isPresent();
            assertTrue(List.of(200, 201, 503, 504).contains(outcome.status()), outcome.toString());
            assertTrue(stored || !outcome.isDone(), outcome + " isn't there");
            if (outcome.isDone()) {
                String key = cluster.keys().job(given.get(i).id());
                assertEquals(cluster.read(key).orElseThrow().modRevision(), outcome.revision());
            }
        }
        // What was surely not done, by any of those that named it, is not there.
        for (Job job : many(300)) {
            boolean surelyNot = IntStream.range(0, given.size())
                    .filter(i -> given.get(i).id().equals(job.id()))
                    .allMatch(i -> outcomes.get(i).status() == 503);
            assertTrue(!surelyNot || cluster.job(job.id()).isEmpty(), job.id());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void restartsOfManyAreMadeAsOftenAsTheyAreSaidToBe(long seed) {
        var random = new Random(seed);
        cluster.submit(many(100).toArray(Job[]::new));
        cluster.settle();
        way.fates(txn -> random.nextInt(3) == 0 ? FATES.get(random.nextInt(FATES.size())) : Fate.DELIVERED);
        long[] certain = new long[100];
        long[] possible = new long[100];
        for (int round = 0; round < 4; round++) {
            // A single order among them now and then: both go the same way.
            var unused = jobs.controlJob("j00000", JobAction.KILL, OptionalLong.empty());
            List<JobOutcome> outcomes =
                    order(BulkAction.RESTART, JobSelector.ALL).items();
            cluster.advance(Duration.ofSeconds(40));
            for (int i = 1; i < 100; i++) {
                int status = outcomes.get(i).status();
                assertTrue(
                        List.of(200, 503, 504).contains(status), outcomes.get(i).toString());
                certain[i] += status == 200 ? 1 : 0;
                possible[i] += status == 504 ? 1 : 0;
            }
        }
        for (int i = 1; i < 100; i++) {
            long made = cluster.job(String.format("j%05d", i)).orElseThrow().generation() - 1;
            assertTrue(
                    certain[i] <= made && made <= certain[i] + possible[i],
                    made + " made, " + certain[i] + " certain, " + possible[i] + " possible");
        }
    }
}
