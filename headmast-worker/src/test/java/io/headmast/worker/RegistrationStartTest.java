// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.worker.RegistrationBench.Member;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How a worker comes to be registered, beside rivals and predecessors and over a bad network. */
class RegistrationStartTest {
    private static final Duration TTL = RegistrationBench.TTL;

    private final RegistrationBench bench = new RegistrationBench();

    @Test
    void workerRegistersOnceOnALeaseOfItsOwn() {
        Member worker = bench.registered("one");
        bench.advance(TTL.multipliedBy(10));

        assertEquals(1, worker.sessions.size());
        assertEquals(1, worker.way.txns());
        assertEquals(List.of(), worker.fences);
        assertTrue(worker.keepers.get(0).isSafe());
        assertEquals(worker.session().lease(), bench.stored().orElseThrow().lease());
        assertEquals(
                worker.session().registration(), bench.stored().orElseThrow().createRevision());
        assertEquals(worker.session().registration(), worker.session().begunAt());
    }

    @Test
    void liveRivalIsUndisturbedAndTheNewcomerRefused() {
        Member rival = bench.registered("rival");
        long revision = bench.stored().orElseThrow().modRevision();

        Member newcomer = bench.start("newcomer");
        bench.advance(TTL);

        assertEquals(
                "worker id w is in use by a live worker on host host since 1970-01-01T00:00:00Z; choose another worker"
                        + " id, or stop that worker",
                newcomer.refusals.get(0).detail());
        bench.advance(TTL.multipliedBy(3));
        assertEquals(1, newcomer.refusals.size());
        assertEquals(0, newcomer.way.txns());
        assertEquals(List.of(), newcomer.sessions);
        assertEquals(revision, bench.stored().orElseThrow().modRevision());
        assertEquals(List.of(), rival.fences);
    }

    @ParameterizedTest
    @CsvSource({"home, m2", "elsewhere, m", "'', m"})
    void leaseOfADeadRivalIsWaitedFor(String home, String machine) {
        Member rival = bench.registered(RegistrationBench.self("rival", home.isEmpty() ? "" : "home", "m"));
        rival.kill9();
        long lease = rival.session().lease();

        Member newcomer = bench.start(RegistrationBench.self("newcomer", home, machine));
        bench.advance(TTL.minusMillis(200));
        assertEquals(List.of(), newcomer.sessions);
        assertTrue(bench.lives(lease));
        bench.advance(Duration.ofSeconds(1));

        assertEquals(1, newcomer.sessions.size());
        assertNotEquals(lease, newcomer.session().lease());
        assertEquals(List.of(), newcomer.refusals);
    }

    @Test
    void unreadableRegistrationIsWaitedForAsAnyOther() {
        long lease = bench.get(bench.store.grantLease(TTL)).id();
        bench.put(Payload.of("{"), lease);

        Member worker = bench.start("one");
        bench.advance(TTL.minusSeconds(1));
        assertEquals(List.of(), worker.sessions);
        bench.advance(Duration.ofSeconds(2));

        assertEquals(1, worker.sessions.size());
    }

    @Test
    void registrationWithoutALeaseIsRefusedBecauseItWouldNeverLapse() {
        bench.put(Payload.of("{}"), 0);

        Member worker = bench.registered("one");

        assertTrue(worker.refusals.get(0).detail().contains("delete the key /headmast/workers/w"));
        assertEquals(0, worker.way.txns());
    }

    @Test
    void successorOnTheSameHomeTakesLeaseAndAssignmentsOver() {
        Member predecessor = bench.registered(RegistrationBench.self("one", "home", "m"));
        long lease = predecessor.session().lease();
        bench.assign("j", lease);
        predecessor.kill9();

        Member successor = bench.registered(RegistrationBench.self("two", "home", "m"));

        assertEquals(lease, successor.session().lease());
        assertEquals(predecessor.session().registration(), successor.session().registration());
        assertEquals(
                bench.stored().orElseThrow().modRevision(), successor.session().begunAt());
        assertEquals(lease, bench.stored().orElseThrow().lease());
        assertEquals(Optional.of("two"), bench.storedIncarnation());
        bench.advance(TTL.multipliedBy(5));
        assertTrue(bench.isAssigned("j"));
        assertEquals(1, successor.sessions.size());
    }

    @Test
    void successorRegistersAnewIfTheLeaseLapsesUnderItsHands() {
        Member predecessor = bench.registered(RegistrationBench.self("one", "home", "m"));
        bench.assign("j", predecessor.session().lease());
        predecessor.kill9();
        Duration left = bench.get(bench.store.timeToLive(predecessor.session().lease()));
        bench.advance(left.minusNanos(500_000));

        Member successor = bench.start(RegistrationBench.self("two", "home", "m"));
        bench.advance(Duration.ofSeconds(1));

        assertEquals(1, successor.sessions.size());
        assertNotEquals(predecessor.session().lease(), successor.session().lease());
        assertFalse(bench.isAssigned("j"));
    }

    @Test
    void successorWhosePutGetsNoAnswerIsRegisteredAllTheSame() {
        Member predecessor = bench.registered(RegistrationBench.self("one", "home", "m"));
        predecessor.kill9();
        Member successor = bench.start(RegistrationBench.self("two", "home", "m"));
        fates(successor, Fate.ANSWER_LOST);

        bench.advance(Duration.ofSeconds(3));

        standsAlone(successor);
    }

    @ParameterizedTest
    @EnumSource(names = "DELIVERED", mode = EnumSource.Mode.EXCLUDE)
    void putThatComesToNothingIsTriedAgainAndLeavesNothingBehind(Fate fate) {
        Member worker = bench.start("one");
        fates(worker, fate, fate);

        bench.advance(Duration.ofSeconds(8));

        standsAlone(worker);
    }

    @Test
    void grantThatGetsNoAnswerIsTriedAgain() {
        Member worker = bench.start("one");
        bench.advance(Duration.ofMillis(1));
        worker.way.cut();
        bench.advance(Duration.ofMillis(10));
        worker.way.heal();

        bench.advance(Duration.ofSeconds(3));

        standsAlone(worker);
    }

    @Test
    void unreachableStoreIsTriedUntilItIsThere() {
        Member worker = bench.start("one");
        worker.way.cut();
        bench.advance(Duration.ofMinutes(1));
        assertEquals(List.of(), worker.refusals);
        worker.way.heal();

        bench.advance(Duration.ofSeconds(3));

        standsAlone(worker);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void workerThatIsClosedWhileItRegistersLeavesNothing(long millis) {
        Member worker = bench.start("one");
        bench.advance(Duration.ofMillis(millis));

        CompletableFuture<Void> closed = worker.registration.close();
        bench.advance(Duration.ofSeconds(1));

        bench.get(closed);

        assertEquals(Optional.empty(), bench.stored());
    }

    /** One session, which is the registered one and stays so. */
    private void standsAlone(Member worker) {
        bench.advance(TTL.multipliedBy(2));
        assertEquals(1, worker.sessions.size());
        assertEquals(List.of(), worker.fences);
        assertEquals(worker.session().lease(), bench.stored().orElseThrow().lease());
        assertTrue(bench.lives(worker.session().lease()));
    }

    private static void fates(Member process, Fate... fates) {
        Queue<Fate> next = new ArrayDeque<>(List.of(fates));
        process.way.fates(txn -> next.isEmpty() ? Fate.DELIVERED : next.remove());
    }
}
