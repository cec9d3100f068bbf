// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.api.Worker;
import io.headmast.core.lease.LeaseTimes;
import io.headmast.worker.RegistrationBench.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a registered worker has to stop everything, what becomes of its lease then, and how it ends. */
class RegistrationFenceTest {
    private static final Duration TTL = RegistrationBench.TTL;
    private static final LeaseTimes TIMES = LeaseTimes.of(TTL);
    private static final Duration STEP = Duration.ofMillis(10);

    private final RegistrationBench bench = new RegistrationBench();
    private final Member worker = bench.registered("one");

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 500, 3233, 3234, 3300, 5000, 9999, 12_345})
    void silenceFencesInTimeToStopBeforeTheLeaseLapses(long after) {
        bench.advance(Duration.ofMillis(after));
        worker.way.cut();
        long lapsed = 0;
        while (lapsed == 0) {
            bench.advance(STEP);
            lapsed = bench.stored().isPresent() ? 0 : bench.time.nanoTime();
        }

        assertEquals(1, worker.fences.size());
        long left = lapsed - worker.fencedAtNanos;
        assertTrue(left >= TIMES.stopMargin().toNanos(), "only " + Duration.ofNanos(left));
        assertTrue(left <= TIMES.stopMargin().plus(TTL.dividedBy(50)).toNanos(), "already " + Duration.ofNanos(left));
        assertFalse(worker.keepers.get(0).isSafe());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1000, 3233, 3300, 4000})
    void shortSilenceFencesNobody(long after) {
        bench.advance(Duration.ofMillis(after));
        worker.way.cut();
        bench.advance(TTL.minus(TIMES.renewEvery())
                .minus(TIMES.stopMargin())
                .minus(TTL.dividedBy(100))
                .minus(TIMES.renewEvery().dividedBy(10))
                .minusMillis(5));
        worker.way.heal();
        bench.advance(TTL.multipliedBy(2));

        assertEquals(List.of(), worker.fences);
        assertEquals(1, worker.sessions.size());
    }

    @Test
    void renewalsThatHangAreSentAgainInTime() {
        bench.advance(TIMES.renewEvery().minusMillis(150));
        worker.way.cut();
        bench.advance(Duration.ofMillis(60));
        worker.way.heal();
        bench.advance(TTL.multipliedBy(3));

        assertEquals(List.of(), worker.fences);
    }

    @Test
    void deletedRegistrationFencesWithTheNextRenewal() {
        bench.delete();
        bench.advance(TIMES.renewEvery());

        assertEquals(List.of("the registration is gone or another's"), worker.fences);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replacedRegistrationFencesWithTheNextRenewal(boolean keepsLease) {
        Payload other = Payload.wrap(RegistrationBench.self("two", "", "m").marshalBinary());
        bench.put(other, keepsLease ? worker.session().lease() : 0);
        bench.advance(TIMES.renewEvery());

        assertEquals(List.of("the registration is gone or another's"), worker.fences);
    }

    @Test
    void leaseThatIsRevokedEarlyFencesWithTheNextRenewal() {
        bench.get(bench.store.revokeLease(worker.session().lease()));
        bench.advance(TIMES.renewEvery());

        assertEquals(List.of("the lease is gone"), worker.fences);
    }

    @Test
    void suspendedMachineIsFencedAtTheNextRenewal() {
        worker.loop.jumpWallClock(Duration.ofMinutes(5));
        bench.advance(TIMES.renewEvery());

        assertEquals(1, worker.fences.size());
        assertTrue(worker.fences.get(0).contains("the machine was suspended"));
    }

    @Test
    void leaseOfRunsThatMayStillGoOnIsNotRevoked() {
        bench.assign("j", worker.session().lease());
        bench.delete();
        bench.advance(TIMES.renewEvery());

        bench.advance(TIMES.stopMargin());
        assertTrue(bench.isAssigned("j"));
        assertEquals(1, worker.sessions.size());
        bench.advance(TTL);
        assertFalse(bench.isAssigned("j"));
        assertEquals(1, worker.sessions.size());
        worker.registration.allEnded();
        bench.settle();

        assertEquals(2, worker.sessions.size());
    }

    @Test
    void onceAllHasEndedTheWorkerStartsEmptyOnANewLease() {
        long old = worker.session().lease();
        bench.assign("j", old);
        bench.delete();
        bench.advance(TIMES.renewEvery());

        worker.registration.allEnded();
        bench.settle();

        assertFalse(bench.lives(old));
        assertFalse(bench.isAssigned("j"));
        assertNotEquals(old, worker.session().lease());
        assertEquals(worker.session().lease(), bench.stored().orElseThrow().lease());
        bench.advance(TTL.multipliedBy(3));
        assertEquals(2, worker.sessions.size());
        assertEquals(1, worker.fences.size());
    }

    @Test
    void workerThatEndsItsRunsBeforeTheStoreIsBackRegistersWhenItIs() {
        worker.way.cut();
        bench.advance(TTL);
        worker.registration.allEnded();
        bench.advance(TTL);
        assertEquals(1, worker.sessions.size());

        worker.way.heal();
        bench.advance(Duration.ofSeconds(2));

        assertEquals(2, worker.sessions.size());
        assertEquals(worker.session().lease(), bench.stored().orElseThrow().lease());
    }

    @Test
    void ownKeyThatWasDetachedFromItsLeaseIsRemoved() {
        bench.put(bench.stored().orElseThrow().value(), 0);
        bench.advance(TIMES.renewEvery());
        assertEquals(1, worker.fences.size());

        worker.registration.allEnded();
        bench.advance(Duration.ofSeconds(2));

        assertEquals(2, worker.sessions.size());
        assertEquals(worker.session().lease(), bench.stored().orElseThrow().lease());
        assertTrue(worker.way.txns() < 10, "calls without end");
    }

    @Test
    void workerWhoseIdWasTakenMeanwhileKeepsTryingAndDisturbsNobody() {
        worker.way.cut();
        bench.advance(TTL.plusSeconds(1));
        Member other = bench.registered("two");
        worker.way.heal();
        worker.registration.allEnded();
        bench.advance(TTL.multipliedBy(4));
        assertEquals(List.of(), worker.refusals);
        assertEquals(1, worker.sessions.size());
        assertEquals(List.of(), other.fences);

        CompletableFuture<Void> closed = other.registration.close();
        bench.advance(Duration.ofSeconds(2));

        bench.get(closed);

        assertEquals(Optional.of("one"), bench.storedIncarnation());
    }

    @Test
    void updateStaysOnTheLease() {
        Worker closing = RegistrationBench.self("one", "", "m").withClosing(true);

        CompletableFuture<Long> update = worker.registration.update(closing);
        bench.settle();

        assertEquals(bench.stored().orElseThrow().modRevision(), bench.get(update));
        assertTrue(Worker.unmarshalBinary(bench.stored().orElseThrow().value().toByteArray())
                .closing());
        bench.advance(TTL.multipliedBy(2));
        assertEquals(List.of(), worker.fences);
        bench.get(bench.store.revokeLease(worker.session().lease()));
        assertEquals(Optional.empty(), bench.stored());
    }

    @Test
    void updateOfARegistrationThatIsGoneFails() {
        bench.delete();

        CompletableFuture<Long> update = worker.registration.update(RegistrationBench.self("one", "", "m"));
        bench.settle();

        assertThrows(HeadmastException.Conflict.class, () -> bench.get(update));
        assertEquals(Optional.empty(), bench.stored());
    }

    @Test
    void updateAfterTheFenceFails() {
        worker.way.cut();
        bench.advance(TTL);

        CompletableFuture<Long> update = worker.registration.update(RegistrationBench.self("one", "", "m"));

        assertThrows(HeadmastException.Unavailable.class, () -> bench.get(update));
    }

    @Test
    void closedWorkerGivesItsLeaseUpAtOnce() {
        CompletableFuture<Void> closed = worker.registration.close();
        bench.settle();

        bench.get(closed);
        assertEquals(Optional.empty(), bench.stored());
        assertFalse(bench.lives(worker.session().lease()));
        bench.advance(TTL.multipliedBy(2));
        assertEquals(1, worker.sessions.size());
        assertEquals(List.of(), worker.fences);
    }

    @Test
    void abandonedLeaseLapsesByItself() {
        worker.registration.abandon();
        bench.advance(TTL.minus(TIMES.renewEvery()));
        assertTrue(bench.stored().isPresent());
        assertFalse(worker.keepers.get(0).isSafe());

        bench.advance(TIMES.renewEvery());
        worker.registration.allEnded();
        bench.advance(TTL);

        assertEquals(Optional.empty(), bench.stored());
        assertEquals(1, worker.sessions.size());
    }
}
