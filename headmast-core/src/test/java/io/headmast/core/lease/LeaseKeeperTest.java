// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.store.Lease;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.PausableLoop;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Until when the owner of a lease may act, to the millisecond. */
final class LeaseKeeperTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration SAFE = LeaseTimes.of(TTL).safeFor();
    private static final Duration MS = Duration.ofMillis(1);

    private final VirtualLoop time = new VirtualLoop();
    private final PausableLoop loop = new PausableLoop(time);
    private final MvccStore store = new MvccStore(time);
    private final FaultyStore way = new FaultyStore(store, time);
    private final List<String> fenced = new ArrayList<>();
    private int renewals;

    private LeaseKeeper keeper() {
        long sent = loop.nanoTime();
        var granted = way.grantLease(TTL);
        time.advance(MS);
        Lease lease = granted.join();
        return new LeaseKeeper(way, loop, lease, sent, new LeaseKeeper.Owner() {
            @Override
            public void renewed() {
                renewals++;
            }

            @Override
            public void fenced(String reason) {
                fenced.add(reason);
            }
        });
    }

    private boolean isAlive(LeaseKeeper keeper) {
        var remaining = store.timeToLive(keeper.leaseId());
        time.runUntilIdle();
        return !remaining.isCompletedExceptionally();
    }

    @ParameterizedTest
    @CsvSource({"10000,3333,2000,7900", "2000,666,400,1580", "30000,10000,6000,23700"})
    void timesFollowFromTheTtl(long ttl, long renewEvery, long margin, long safeFor) {
        LeaseTimes times = LeaseTimes.of(Duration.ofMillis(ttl));
        assertEquals(renewEvery, times.renewEvery().toMillis());
        assertEquals(margin, times.stopMargin().toMillis());
        assertEquals(safeFor, times.safeFor().toMillis());
    }

    @Test
    void quietStoreIsAskedThreeTimesInATtlAndNeverFences() {
        LeaseKeeper keeper = keeper();
        time.advance(TTL.multipliedBy(100));
        assertTrue(keeper.isSafe() && isAlive(keeper));
        assertEquals(List.of(), fenced);
        assertTrue(way.keepAlives() >= 290 && way.keepAlives() <= 310, () -> way.keepAlives() + " renewals");
        assertEquals(way.keepAlives(), renewals);
    }

    @Test
    void unansweredGrantCountsFromWhenItWasSent() {
        LeaseKeeper keeper = keeper();
        way.cut();
        time.advance(SAFE.minus(MS).minus(MS));
        assertTrue(keeper.isSafe());
        assertEquals(List.of(), fenced);
        time.advance(MS);
        assertFalse(keeper.isSafe());
        assertEquals(List.of("no renewal was answered for 7900 ms"), fenced);
        assertTrue(isAlive(keeper), "the lease outlives its owner's deadline");
    }

    @Test
    void answerThatTravelledLongCountsFromWhenItWasAskedFor() {
        LeaseKeeper keeper = keeper();
        way.latency(() -> Duration.ofMillis(900));
        time.advance(Duration.ofMillis(4300));
        assertEquals(1, renewals);
        way.cut();
        Duration deadline = LeaseTimes.of(TTL).renewEvery().plus(SAFE);
        time.advance(deadline.minusNanos(loop.nanoTime() + 1));
        assertTrue(keeper.isSafe());
        time.advance(MS);
        assertFalse(keeper.isSafe());
        assertEquals(1, fenced.size());
    }

    @Test
    void ownerIsFencedOnceAndNothingFollows() {
        keeper();
        way.cut();
        time.advance(TTL);
        way.heal();
        long asked = way.keepAlives();
        time.advance(TTL.multipliedBy(10));
        assertEquals(1, fenced.size());
        assertEquals(asked, way.keepAlives());
    }

    @Test
    void leaseThatIsGoneFencesAtTheNextRenewal() {
        LeaseKeeper keeper = keeper();
        var unused = store.revokeLease(keeper.leaseId());
        time.advance(LeaseTimes.of(TTL).renewEvery().plusMillis(400));
        assertEquals(List.of("the lease is gone"), fenced);
        assertFalse(keeper.isSafe());
    }

    @Test
    void closedKeeperNeitherRenewsNorFences() {
        LeaseKeeper keeper = keeper();
        keeper.close();
        time.advance(TTL.multipliedBy(2));
        assertEquals(List.of(), fenced);
        assertEquals(0, way.keepAlives());
        assertFalse(keeper.isSafe());
    }

    @Test
    void ownersOwnReasonFencesToo() {
        LeaseKeeper keeper = keeper();
        keeper.fence("the registration is gone");
        keeper.fence("again");
        assertEquals(List.of("the registration is gone"), fenced);
    }

    @Test
    void suspendedMachineIsNoticedSoonAfterItWakes() {
        LeaseKeeper keeper = keeper();
        time.advance(Duration.ofMillis(3500));
        loop.jumpWallClock(Duration.ofMinutes(5));
        assertFalse(keeper.isSafe(), "known to whoever asks at once");
        time.advance(Duration.ofMillis(500));
        assertEquals(List.of("the wall clock ran 300000 ms ahead: the machine was suspended"), fenced);
    }

    @Test
    void smallStepsOfTheWallClockAndStepsBackAreHarmless() {
        LeaseKeeper keeper = keeper();
        for (int i = 0; i < 50; i++) {
            loop.jumpWallClock(Duration.ofMillis(i % 2 == 0 ? 1500 : -40_000));
            time.advance(Duration.ofSeconds(4));
        }
        assertTrue(keeper.isSafe());
        assertEquals(List.of(), fenced);
    }

    @Test
    void standingStillPastTheDeadlineFencesAtOnceOnWaking() {
        LeaseKeeper keeper = keeper();
        loop.pause();
        time.advance(TTL.multipliedBy(3));
        assertFalse(keeper.isSafe());
        loop.resume();
        time.runUntilIdle();
        assertEquals(1, fenced.size());
        assertFalse(isAlive(keeper));
    }

    static IntStream momentsOfTrouble() {
        return IntStream.range(0, 100);
    }

    /** G6: whenever it begins, trouble for less than TTL - TTL/3 - TTL/5 and a retry's pause fences nobody. */
    @ParameterizedTest
    @MethodSource("momentsOfTrouble")
    void troubleForAThirdOfTheTtlFencesNobody(int moment) {
        LeaseKeeper keeper = keeper();
        way.latency(() -> Duration.ofMillis(moment % 7));
        for (Duration trouble : List.of(TTL.dividedBy(3), TTL.multipliedBy(4).dividedBy(10))) {
            time.advance(TTL.plus(TTL.multipliedBy(moment).dividedBy(100)));
            way.cut();
            time.advance(trouble);
            way.heal();
        }
        time.advance(TTL);
        assertEquals(List.of(), fenced);
        assertTrue(keeper.isSafe() && isAlive(keeper));
    }

    /** G2: whatever answers come, the lease outlives the moment of the fence by the margin. */
    @ParameterizedTest
    @MethodSource("momentsOfTrouble")
    void fenceComesBeforeTheLapseByTheMargin(int moment) {
        LeaseKeeper keeper = keeper();
        way.latency(() -> Duration.ofMillis(moment * 9L));
        time.advance(TTL.plusMillis(moment * 101L));
        way.cut();
        while (fenced.isEmpty()) {
            time.advance(MS);
        }
        time.advance(LeaseTimes.of(TTL).stopMargin());
        assertTrue(isAlive(keeper));
    }

    @Test
    void answersInAnotherOrderMoveTheDeadlineForwardOnly() {
        LeaseKeeper keeper = keeper();
        // The first renewal is answered after those that were sent while it was under way.
        Deque<Duration> latencies = new ArrayDeque<>(List.of(Duration.ofMillis(950)));
        way.latency(() -> latencies.isEmpty() ? MS : latencies.remove());
        time.advance(Duration.ofMillis(3333 + 940));
        int before = renewals;
        assertTrue(before >= 1, "a later one was answered");
        time.advance(Duration.ofMillis(20));
        assertEquals(before, renewals, "an older answer is no news");
        assertTrue(keeper.isSafe());
    }

    @Test
    void hangingRenewalIsSentAgainLongBeforeTheDeadline() {
        keeper();
        way.cut();
        time.advance(Duration.ofMillis(7899));
        assertTrue(way.keepAlives() >= 10, () -> way.keepAlives() + " renewals");
        assertTrue(way.keepAlives() <= 20, () -> way.keepAlives() + " renewals");
    }
}
