// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobPath;
import io.headmast.api.Payload;
import io.headmast.core.store.Op;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a watch is told of what happens while it is there, and how it ends. */
final class StoreJobFeedTest extends FeedCase {
    private static final JobPath EU = JobPath.domain("eu");

    private final Served served = serve("s1");
    private long start;

    @BeforeEach
    void remember() {
        cluster.submit(job("old", "eu", "o"));
        cluster.settle();
        start = cluster.revision();
    }

    private JobWatch watch(JobPath path, OptionalLong after) {
        return cluster.get(served.feed().watch(path, after));
    }

    private void submitUnseen() {
        cluster.submit(job("short", "eu", ""));
        cluster.commit(Op.delete(cluster.keys().job("short")));
    }

    @Test
    void everyChangeOfAJobIsToldWithItsPayload() {
        Follower follower = follow(served, JobPath.job("a"), start);
        cluster.worker(Samples.worker("w1"));
        cluster.settle();
        cluster.submit(job("a", "eu", "1"), job("b", "eu", "not asked for"));
        cluster.settle();
        cluster.change("a", job -> job.payload("2"));
        cluster.delete("a");
        cluster.settle();
        long end = cluster.revision();
        readUpTo(follower, end);
        assertEquals(history.told(JobPath.job("a"), start, end), follower.told);
        assertEquals("added a 1", texts(follower).get(0));
        assertEquals("deleted a 2", texts(follower).get(follower.told.size() - 1));
        assertTrue(follower.told.size() >= 6, follower.told::toString);
    }

    @Test
    void watchFromNowOnTellsNothingOlder() throws InterruptedException {
        JobWatch watch = watch(JobPath.ALL, OptionalLong.empty());
        assertEquals(new JobWatch.Progress(start), watch.next(Duration.ZERO));
        cluster.submit(job("a", "eu", "1"));
        cluster.settle();
        JobWatch.Change change = assertInstanceOf(JobWatch.Change.class, watch.next(Duration.ZERO));
        assertEquals("a", change.change().job().job().id());
        assertTrue(change.last());
    }

    @Test
    void jobThatChangesItsDomainLeavesOneAndEntersTheOther() {
        Follower eu = follow(served, EU, start);
        Follower us = follow(served, JobPath.domain("us"), start);
        Follower all = follow(served, JobPath.ALL, start);
        cluster.submit(job("a", "eu", "1"));
        cluster.submit(job("a", "us", "2"));
        cluster.commit(Op.delete(cluster.keys().job("a")));
        cluster.settle();
        List.of(eu, us, all).forEach(follower -> readUpTo(follower, cluster.revision()));
        assertEquals(List.of("added a 1", "deleted a 1"), texts(eu));
        assertEquals(List.of("added a 2", "deleted a 2"), texts(us));
        assertEquals(List.of("added a 1", "updated a 2", "deleted a 2"), texts(all));
    }

    @Test
    void recordThatCanNotBeReadCountsAsGone() {
        Follower follower = follow(served, JobPath.ALL, start);
        cluster.commit(Op.put(cluster.keys().job("old"), Payload.of("{")));
        cluster.submit(job("old", "eu", "mended"));
        cluster.settle();
        readUpTo(follower, cluster.revision());
        assertEquals(List.of("deleted old o", "added old mended"), texts(follower));
    }

    @Test
    void deathOfAWorkerIsOneRevisionByAscendingId() {
        PoorWorker worker = cluster.worker(Samples.worker("w1"));
        cluster.submitMany("j", 200);
        cluster.advance(Duration.ofSeconds(3));
        assertEquals(201, cluster.runs().running().size());
        Follower follower = follow(served, JobPath.ALL, cluster.revision());
        worker.kill9();
        cluster.advance(TestCluster.TTL.plusSeconds(2));
        long death = history.told(JobPath.ALL, follower.from, cluster.revision())
                .get(0)
                .revision();
        readUpTo(follower, death);
        List<String> ids = follower.told.stream()
                .filter(told -> told.revision() == death)
                .map(told -> told.change().job().job().id())
                .toList();
        assertEquals(201, ids.size());
        assertEquals(ids.stream().sorted().toList(), ids);
    }

    @Test
    void whatTheLeaderHasUnderWayIsNotShown() {
        cluster.worker(Samples.worker("w1", 2));
        cluster.settle();
        Follower follower = follow(served, JobPath.ALL, cluster.revision());
        served.server().store().fates(txn -> FaultyStore.Fate.REQUEST_LOST);
        cluster.submit(job("a", "eu", "takes the last place"));
        cluster.advance(Duration.ofMillis(10));
        cluster.submit(job("b", "us", "not like the other"));
        cluster.advance(Duration.ofMillis(10));
        served.server().store().fates(txn -> FaultyStore.Fate.DELIVERED);
        cluster.advance(Duration.ofSeconds(5));
        readUpTo(follower, cluster.revision());
        assertEquals(history.told(JobPath.ALL, follower.from, cluster.revision()), follower.told);
        assertEquals(
                "waiting to be placed",
                follower.told.get(1).change().job().state().reason());
    }

    @Test
    void whatIsNewIsToldWithoutAskingTheStore() {
        Follower follower = follow(served, JobPath.ALL, start);
        long before = served.calls();
        cluster.submitMany("j", 500);
        cluster.settle();
        follower.read(Integer.MAX_VALUE);
        assertEquals(500, follower.told.size());
        assertEquals(before, served.calls());
    }

    @Test
    void whatNobodyWatchedIsReadManyAtATime() {
        cluster.submitMany("j", 1000);
        for (int i = 0; i < 1000; i += 2) {
            cluster.commit(Op.delete(cluster.keys().job("j" + i)));
        }
        cluster.settle();
        long before = served.calls();
        Follower follower = follow(served, JobPath.ALL, start);
        readUpTo(follower, cluster.revision());
        assertEquals(1500, follower.told.size());
        assertEquals(history.told(JobPath.ALL, start, cluster.revision()), follower.told);
        assertTrue(served.calls() - before < 70, (served.calls() - before) + " calls");
    }

    @Test
    void payloadIsTheOneOfItsRevisionHoweverOftenItChangedSince() {
        for (int i = 0; i < 100; i++) {
            cluster.submit(job("a", "eu", "payload " + i));
        }
        cluster.settle();
        Follower follower = follow(served, JobPath.job("a"), start);
        readUpTo(follower, cluster.revision());
        assertEquals(history.told(JobPath.job("a"), start, cluster.revision()), follower.told);
    }

    @Test
    void payloadThatIsCompactedMeansGone() {
        cluster.submit(job("a", "eu", "1"));
        cluster.submit(job("a", "eu", "2"));
        cluster.settle();
        Follower follower = follow(served, JobPath.ALL, start);
        cluster.get(cluster.store().compact(cluster.revision()));
        assertThrows(HeadmastException.Gone.class, () -> readUpTo(follower, cluster.revision()));
    }

    @Test
    void largePayloadsAreAllTold() {
        String large = "x".repeat(500_000);
        for (int i = 0; i < 60; i++) {
            cluster.submit(job("a" + i, "eu", large + i));
        }
        cluster.settle();
        Follower follower = follow(served, JobPath.ALL, start);
        readUpTo(follower, cluster.revision());
        assertEquals(60, follower.told.size());
        assertEquals(
                large + 59, follower.told.get(59).change().job().job().payload().toText());
    }

    @Test
    void progressFollowsTheChangesOfOthers() throws InterruptedException {
        JobWatch watch = watch(JobPath.job("a"), OptionalLong.of(start));
        assertEquals(new JobWatch.Progress(start), watch.next(Duration.ZERO));
        cluster.submit(job("b", "eu", ""));
        cluster.settle();
        assertEquals(new JobWatch.Progress(cluster.revision()), watch.next(Duration.ZERO));
    }

    @Test
    void progressDoesNotRunAheadOfWhatAListingMayHavePassedOver() throws InterruptedException {
        JobWatch watch = watch(JobPath.ALL, OptionalLong.of(start));
        served.server().store().holdWatches();
        submitUnseen();
        served.server().store().breakWatches();
        cluster.settle();
        assertEquals(cluster.revision(), served.server().mirror().revision());
        assertEquals(new JobWatch.Progress(start), watch.next(Duration.ZERO));
        served.server().store().heal();
        Follower follower = new Follower(JobPath.ALL, start, watch);
        readUpTo(follower, cluster.revision());
        assertEquals(List.of("added short ", "deleted short "), texts(follower));
    }

    @Test
    void resyncWithoutDifferencesCostsNoReplay() {
        Follower follower = follow(served, JobPath.ALL, start);
        cluster.commit(Op.put("/others", Payload.of("x")));
        served.server().loop().execute(() -> served.server().store().breakWatches());
        cluster.settle();
        assertEquals(cluster.revision(), served.server().mirror().revision());
        long before = served.calls();
        cluster.submit(job("a", "eu", "1"));
        cluster.settle();
        readUpTo(follower, cluster.revision());
        assertEquals(List.of("added a 1"), texts(follower));
        assertEquals(before, served.calls());
    }

    @Test
    void revisionThatIsNotThereYetIsRefused() {
        for (long bad : new long[] {0, -1, start + 1, Long.MAX_VALUE}) {
            var invalid = assertThrows(
                    HeadmastException.Invalid.class, () -> watch(JobPath.ALL, OptionalLong.of(bad)), "of " + bad);
            assertEquals("revision", invalid.field().orElseThrow());
        }
    }

    @Test
    void revisionThatOthersMadeIsNotRefused() {
        long others = cluster.commit(Op.put("/others", Payload.of("x"))).revision();
        Follower follower = follow(served, JobPath.ALL, others);
        cluster.submit(job("a", "eu", "1"));
        cluster.settle();
        readUpTo(follower, cluster.revision());
        assertEquals(List.of("added a 1"), texts(follower));
    }

    @Test
    void watchThatIsClosedTellsNothingMore() {
        JobWatch watch = watch(JobPath.ALL, OptionalLong.of(start));
        watch.close();
        assertThrows(HeadmastException.Unavailable.class, () -> watch.next(Duration.ofMinutes(1)));
    }

    @Test
    void feedThatIsClosedEndsItsWatches() {
        JobWatch watch = watch(JobPath.ALL, OptionalLong.of(start));
        served.feed().close();
        assertThrows(HeadmastException.Unavailable.class, () -> watch.next(Duration.ofMinutes(1)));
        assertThrows(HeadmastException.Unavailable.class, () -> watch(JobPath.ALL, OptionalLong.empty()));
    }

    @Test
    void serverThatIsCutOffSaysSoAfterAWhile() throws InterruptedException {
        JobWatch watch = watch(JobPath.ALL, OptionalLong.of(start));
        served.server().store().cut();
        for (int i = 0; i < 25; i++) {
            cluster.advance(Duration.ofSeconds(1));
            assertEquals(new JobWatch.Progress(start), watch.next(Duration.ZERO));
        }
        cluster.advance(Duration.ofSeconds(15));
        assertThrows(HeadmastException.Unavailable.class, () -> watch.next(Duration.ZERO));
    }

    @Test
    void serverThatHasNotReadTheStoreYetSaysSo() {
        var fresh = cluster.server("s2");
        var feed = new StoreJobFeed(fresh.store(), fresh.mirror(), fresh.loop());
        var watch = feed.watch(JobPath.ALL, OptionalLong.of(start));
        assertFalse(watch.isDone());
        assertThrows(HeadmastException.Unavailable.class, () -> cluster.get(watch));
    }
}
