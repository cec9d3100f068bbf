// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobPath;
import io.headmast.core.store.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a server tells that it hasn't seen itself. */
final class FeedReplayTest extends FeedCase {
    private void lives(int count) {
        for (int i = 0; i < count; i++) {
            cluster.submit(job("j" + i % 40, i % 3 == 0 ? "eu" : "us", "payload " + i));
            if (i % 5 == 0) {
                cluster.commit(Op.delete(cluster.keys().job("j" + i % 7)));
            }
        }
        cluster.settle();
    }

    @Test
    void serverThatStartedLaterTellsTheSame() {
        lives(300);
        Served served = serve("s1");
        long end = cluster.revision();
        for (JobPath path : List.of(JobPath.ALL, JobPath.domain("eu"), JobPath.job("j3"))) {
            Follower follower = follow(served, path, 2);
            readUpTo(follower, end);
            assertEquals(history.told(path, 2, end), follower.told);
        }
    }

    @Test
    void watchesThatComeAtOnceShareAReplay() {
        lives(300);
        Served served = serve("s1");
        long end = cluster.revision();
        long before = served.calls();
        List<Follower> followers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long after = 2 + i * 3L;
            followers.add(new Follower(
                    JobPath.ALL, after, cluster.get(served.feed().watch(JobPath.ALL, OptionalLong.of(after)))));
        }
        followers.forEach(follower -> readUpTo(follower, end));
        followers.forEach(follower -> assertEquals(history.told(JobPath.ALL, follower.from, end), follower.told));
        // Each watch has asked once whether its revision is there.
        assertTrue(served.calls() - before < 100 + 60, (served.calls() - before) + " calls");
        assertEquals(1, served.server().store().openWatches(), "the mirror's");
    }

    @Test
    void watchGoesOnWithWhatIsNewOnceItHasMetIt() {
        lives(50);
        Served served = serve("s1");
        Follower follower = follow(served, JobPath.ALL, 2);
        readUpTo(follower, cluster.revision());
        long before = served.calls();
        lives(50);
        readUpTo(follower, cluster.revision());
        assertEquals(history.told(JobPath.ALL, 2, cluster.revision()), follower.told);
        assertEquals(before, served.calls());
    }

    @Test
    void readerThatDoesNotLookCostsNothing() {
        lives(50);
        Served served = serve("s1");
        Follower follower = follow(served, JobPath.ALL, 2);
        follower.read(1);
        cluster.advance(Duration.ofSeconds(10));
        long before = served.calls();
        cluster.advance(Duration.ofSeconds(100));
        assertEquals(before, served.calls());
    }

    @Test
    void brokenWatchUnderAReplayCostsNoChange() {
        lives(100);
        Served served = serve("s1");
        Follower follower = follow(served, JobPath.ALL, 2);
        served.server().store().holdWatches();
        follower.read(1);
        cluster.advance(Duration.ofMillis(100));
        served.server().store().breakWatches();
        cluster.advance(Duration.ofSeconds(1));
        served.server().store().heal();
        readUpTo(follower, cluster.revision());
        assertEquals(history.told(JobPath.ALL, 2, cluster.revision()), follower.told);
    }

    @Test
    void revisionThatIsCompactedIsGone() {
        lives(50);
        Served served = serve("s1");
        cluster.get(cluster.store().compact(30));
        assertThrows(HeadmastException.Gone.class, () -> follow(served, JobPath.ALL, 29));
        Follower follower = follow(served, JobPath.ALL, 30);
        readUpTo(follower, cluster.revision());
        assertEquals(history.told(JobPath.ALL, 30, cluster.revision()), follower.told);
    }

    @Test
    void readerWhoseNextRevisionIsCompactedMeanwhileIsToldSo() {
        lives(50);
        Served served = serve("s1");
        Follower slow = follow(served, JobPath.ALL, 2);
        Follower other = follow(served, JobPath.ALL, 40);
        cluster.get(cluster.store().compact(35));
        assertThrows(HeadmastException.Gone.class, () -> readUpTo(slow, cluster.revision()));
        readUpTo(other, cluster.revision());
        assertEquals(history.told(JobPath.ALL, 40, cluster.revision()), other.told);
    }

    @Test
    void slowReaderThatTheRingHasForgottenGoesBackToTheStore() {
        Served served = serve("s1");
        long start = cluster.revision();
        Follower slow = follow(served, JobPath.job("j1"), start);
        cluster.submitMany("j", 2);
        for (int i = 0; i < 600; i++) {
            cluster.submitMany("k", 100);
        }
        cluster.change("j1", job -> job.payload("new"));
        cluster.settle();
        long before = served.server().store().ranges();
        readUpTo(slow, cluster.revision());
        assertEquals(List.of("added j1 ", "updated j1 new"), texts(slow));
        assertTrue(served.server().store().ranges() > before, "it did go back");
    }
}
