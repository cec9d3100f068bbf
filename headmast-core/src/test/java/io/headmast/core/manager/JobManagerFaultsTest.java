// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands whose answers get lost: what they say of their outcome is true, and nothing happens twice. */
final class JobManagerFaultsTest {
    private static final List<Fate> FATES = List.of(Fate.values());
    private static final OptionalLong ANY = OptionalLong.empty();

    private final TestCluster cluster = new TestCluster();
    private final FaultyStore way = cluster.wayToStore();
    private final TestServer server = cluster.server("s1");
    private final StoreJobManager jobs = new StoreJobManager(way, server.mirror());

    @BeforeEach
    void start() {
        server.start();
        cluster.settle();
    }

    private static boolean isWrite(Txn txn) {
        return txn.success().stream().anyMatch(Op.Put.class::isInstance);
    }

    /** The first write meets that fate; what is to happen in between happens just after it. */
    private void firstWrite(Fate fate, Runnable thereafter) {
        var met = new boolean[1];
        way.fates(txn -> {
            if (met[0] || !isWrite(txn)) {
                return Fate.DELIVERED;
            }
            met[0] = true;
            var unused = cluster.time().schedule(Duration.ofMillis(500), thereafter);
            return fate;
        });
    }

    private <X extends Throwable> X assertFails(Class<X> type, CompletableFuture<?> future) {
        return assertThrows(type, () -> cluster.get(future));
    }

    private void write(Job job) {
        var unused = cluster.store()
                .txn(Txn.of(List.of(Op.put(cluster.keys().job(job.id()), Payload.wrap(job.marshalBinary())))));
    }

    private void deleteAllOf(String jobId) {
        var unused = cluster.store()
                .txn(Txn.of(List.of(
                        Op.delete(cluster.keys().job(jobId)),
                        Op.delete(cluster.keys().state(jobId)))));
    }

    @Test
    void restartIsMadeOnceWhateverBecomesOfItsFirstTry() {
        for (Fate fate : Fate.values()) {
            cluster.submit(Samples.job("a"));
            firstWrite(fate, () -> {});
            CompletableFuture<JobView> restart = jobs.controlJob("a", JobAction.RESTART, ANY);
            cluster.advance(Duration.ofSeconds(10));
            long generation = cluster.job("a").orElseThrow().generation();
            if (fate == Fate.REFUSED) {
                assertFails(HeadmastException.Unavailable.class, restart);
                assertEquals(1, generation);
            } else {
                assertEquals(2, cluster.get(restart).job().generation(), fate.toString());
                assertEquals(2, generation, fate.toString());
            }
        }
    }

    @Test
    void firstTryThatArrivesJustBeforeTheSecondIsNotMadeTwice() {
        cluster.submit(Samples.job("a"));
        List<Txn> writes = new ArrayList<>();
        way.fates(txn -> {
            if (!isWrite(txn)) {
                return Fate.DELIVERED;
            }
            writes.add(txn);
            if (writes.size() == 2) {
                var unused = cluster.store().txn(writes.get(0));
            }
            return writes.size() == 1 ? Fate.REQUEST_LOST : Fate.DELIVERED;
        });
        assertEquals(
                2,
                cluster.get(jobs.controlJob("a", JobAction.RESTART, ANY)).job().generation());
        assertEquals(2, cluster.job("a").orElseThrow().generation());
    }

    @Test
    void restartThatOthersOvertookIsIndeterminateAndNotRepeated() {
        cluster.submit(Samples.job("a"));
        firstWrite(
                Fate.ANSWER_LOST,
                () -> write(Job.builder()
                        .id("a")
                        .generation(2)
                        .labels(Map.of("k", "v"))
                        .build()));
        assertFails(HeadmastException.Indeterminate.class, jobs.controlJob("a", JobAction.RESTART, ANY));
        assertEquals(2, cluster.job("a").orElseThrow().generation());
    }

    @Test
    void killIsSentAgainUntilItIsThere() {
        for (Fate fate : List.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.APPLIED_LATE)) {
            cluster.submit(Samples.job("a"));
            firstWrite(fate, () -> {});
            assertEquals(JobStatus.KILLED, cluster.get(jobs.killJob("a")).job().status());
            cluster.advance(Duration.ofSeconds(5));
            assertEquals(JobStatus.KILLED, cluster.job("a").orElseThrow().status());
        }
    }

    @Test
    void lateFirstTryOfAnOrderDoesNotUndoALaterOne() {
        cluster.submit(Samples.job("a"));
        firstWrite(Fate.APPLIED_LATE, () -> {});
        cluster.get(jobs.killJob("a"));
        cluster.get(jobs.controlJob("a", JobAction.ALIVE, ANY));
        cluster.advance(Duration.ofSeconds(5));
        assertEquals(JobStatus.CREATED, cluster.job("a").orElseThrow().status());
    }

    @Test
    void addIsIdempotentOverLostAnswers() {
        int number = 0;
        for (Fate fate : List.of(Fate.REQUEST_LOST, Fate.ANSWER_LOST, Fate.APPLIED_LATE)) {
            Job job = Samples.job("j" + number++);
            firstWrite(fate, () -> {});
            JobManager.Added added = cluster.get(jobs.addJob(job));
            assertEquals(job, added.view().job());
            cluster.advance(Duration.ofSeconds(5));
            assertEquals(
                    added.view().revision(),
                    cluster.read(cluster.keys().job(job.id())).orElseThrow().modRevision());
        }
    }

    @Test
    void writeThatMayHaveBeenAppliedIsNeverSaidToBeUndone() {
        cluster.submit(Samples.job("a"));
        // The first read succeeds, the write is applied and its answer lost, the reading again is refused.
        var first = new boolean[1];
        way.fates(txn -> {
            if (isWrite(txn)) {
                return Fate.ANSWER_LOST;
            }
            boolean refused = first[0];
            first[0] = true;
            return refused ? Fate.REFUSED : Fate.DELIVERED;
        });
        assertFails(HeadmastException.Indeterminate.class, jobs.killJob("a"));
        assertEquals(JobStatus.KILLED, cluster.job("a").orElseThrow().status());
    }

    @Test
    void addThatMayHaveBeenAppliedIsNeverSaidToBeUndone() {
        var sent = new int[1];
        way.fates(txn -> sent[0]++ == 0 ? Fate.ANSWER_LOST : Fate.REFUSED);
        assertFails(HeadmastException.Indeterminate.class, jobs.addJob(Samples.job("a")));
        assertTrue(cluster.job("a").isPresent());
    }

    @Test
    void addThatMayHaveBeenAppliedAndOvertakenIsNeverSaidToHaveMetAnother() {
        Job job = Samples.job("a");
        firstWrite(
                Fate.ANSWER_LOST,
                () -> write(job.toBuilder().status(JobStatus.KILLED).build()));
        assertFails(HeadmastException.Indeterminate.class, jobs.addJob(job));
    }

    @Test
    void storeThatNeverAnswersMakesOrdersIndeterminate() {
        cluster.submit(Samples.job("a"));
        way.fates(txn -> isWrite(txn) ? Fate.REQUEST_LOST : Fate.DELIVERED);
        CompletableFuture<JobView> kill = jobs.killJob("a");
        cluster.advance(Duration.ofSeconds(40));
        assertTrue(kill.isDone());
        assertFails(HeadmastException.Indeterminate.class, kill);
    }

    @Test
    void guardedOrderThatWasAppliedAndOvertakenIsIndeterminate() {
        cluster.submit(Samples.job("a"));
        long revision = cluster.get(jobs.getJob("a")).revision();
        firstWrite(
                Fate.ANSWER_LOST,
                () -> write(Job.builder()
                        .id("a")
                        .status(JobStatus.KILLED)
                        .labels(Map.of("k", "v"))
                        .build()));
        assertFails(
                HeadmastException.Indeterminate.class, jobs.controlJob("a", JobAction.KILL, OptionalLong.of(revision)));
    }

    @Test
    void removalThatWasCarriedOutBeforeItsAnswerCameIsASuccess() {
        cluster.submit(Samples.job("a"));
        firstWrite(Fate.ANSWER_LOST, () -> deleteAllOf("a"));
        JobView removed = cluster.get(jobs.removeJob("a"));
        assertEquals(JobStatus.DELETING, removed.job().status());
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAnswerIsTrueUnderRandomFates(long seed) {
        var random = new Random(seed);
        cluster.submit(Samples.job("a"));
        way.fates(txn -> random.nextInt(3) == 0 ? FATES.get(random.nextInt(FATES.size())) : Fate.DELIVERED);
        long certain = 0;
        long possible = 0;
        for (int i = 0; i < 15; i++) {
            CompletableFuture<JobView> restart = jobs.controlJob("a", JobAction.RESTART, ANY);
            cluster.advance(Duration.ofSeconds(40));
            assertTrue(restart.isDone());
            if (!restart.isCompletedExceptionally()) {
                certain++;
            } else if (failureOf(restart) instanceof HeadmastException.Indeterminate) {
                possible++;
            } else {
                assertInstanceOf(HeadmastException.Unavailable.class, failureOf(restart));
            }
        }
        long made = cluster.job("a").orElseThrow().generation() - 1;
        long atLeast = certain;
        long atMost = certain + possible;
        assertFalse(made < atLeast || made > atMost, () -> made + " made, " + atLeast + " to " + atMost + " told");
    }

    private static Throwable failureOf(CompletableFuture<?> failed) {
        return failed.handle((value, failure) -> failure.getCause() == null ? failure : failure.getCause())
                .join();
    }
}
