// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories of the store that are as they should be, and planted ones that each check must refuse. */
class StoreChecksTest {
    private static final List<Check> CHECKS = List.of(
            new CompleteHistory(),
            new OnePlacement(),
            new PlacedOnlyWhatMayRun(),
            new StatesByTheirWriters(),
            new LeaseBoundKeys(),
            new LeaderWrites(),
            new CommitsByTheLeader());

    @Test
    void lifeOfAJobIsAsItShouldBe() {
        PlantedStore store = PlantedStore.ready();
        long first = store.next();
        store.place("w1", "a").state("a", Phase.RUNNING, "w1", first).commit();
        store.order("w1", "a", first).commit();
        store.delete(PlantedStore.KEYS.assignment("w1", "a"), PlantedStore.KEYS.killer("w1", "a"))
                .state("a", Phase.PENDING, "w1", first)
                .commit();
        long second = store.next();
        store.place("w2", "a").state("a", Phase.RUNNING, "w2", second).commit();
        store.delete(PlantedStore.KEYS.worker("w2"), PlantedStore.KEYS.assignment("w2", "a"))
                .commit();
        store.delete(PlantedStore.KEYS.server("s1"), PlantedStore.KEYS.leader()).commit();
        store.leader("s2").commit().leader("s2").commit();
        store.job("a", JobStatus.DELETING).commit();
        store.delete(PlantedStore.KEYS.job("a"), PlantedStore.KEYS.state("a")).commit();
        assertEquals(List.of(), violations(store.evidence()));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void plantedHistoryIsRefused(String check, String what, PlantedStore store) {
        List<String> violations = violations(store.evidence());
        assertTrue(
                violations.stream().anyMatch(violation -> violation.startsWith(check + ":")),
                what + " gave " + violations);
    }

    static Stream<Arguments> plantedHistoryIsRefused() {
        return Stream.of(
                Arguments.of(
                        "one-placement",
                        "two at once",
                        PlantedStore.ready().place("w1", "a").place("w2", "a")),
                Arguments.of(
                        "one-placement",
                        "one that the state doesn't name",
                        PlantedStore.ready()
                                .assign("w1", "a")
                                .state("a", Phase.SCHEDULED, "w2", 0)
                                .commit()),
                Arguments.of(
                        "one-placement",
                        "one without a state",
                        PlantedStore.ready().assign("w1", "a").commit()),
                Arguments.of(
                        "placed-only-what-may-run",
                        "a killed job",
                        PlantedStore.ready().job("b", JobStatus.KILLED).commit().place("w1", "b")),
                Arguments.of(
                        "placed-only-what-may-run",
                        "a job that is being deleted",
                        PlantedStore.ready()
                                .job("b", JobStatus.DELETING)
                                .commit()
                                .place("w1", "b")),
                Arguments.of(
                        "placed-only-what-may-run",
                        "an inactive job",
                        PlantedStore.ready()
                                .job(Job.builder()
                                        .id("b")
                                        .targetState(TargetState.INACTIVE)
                                        .build())
                                .commit()
                                .place("w1", "b")),
                Arguments.of(
                        "placed-only-what-may-run",
                        "no job",
                        PlantedStore.ready().place("w1", "b")),
                Arguments.of(
                        "placed-only-what-may-run",
                        "a job at the revision of its kill",
                        PlantedStore.ready().job("a", JobStatus.KILLED).commit().place("w1", "a")),
                Arguments.of(
                        "placed-only-what-may-run",
                        "no worker",
                        PlantedStore.ready()
                                .delete(PlantedStore.KEYS.worker("w1"))
                                .commit()
                                .place("w1", "a")),
                Arguments.of(
                        "states-by-their-writers",
                        "a former owner's late report",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .delete(PlantedStore.KEYS.worker("w1"), PlantedStore.KEYS.assignment("w1", "a"))
                                .commit()
                                .place("w2", "a")
                                .state("a", Phase.RUNNING, "w1", 6)
                                .commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "a report after the lapse",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .delete(PlantedStore.KEYS.worker("w1"), PlantedStore.KEYS.assignment("w1", "a"))
                                .commit()
                                .state("a", Phase.RUNNING, "w1", 6)
                                .commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "a report of another epoch",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .state("a", Phase.RUNNING, "w1", 5)
                                .commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "removed though nobody asked",
                        PlantedStore.ready().delete(PlantedStore.KEYS.job("a")).commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "removed while it is placed",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .job("a", JobStatus.DELETING)
                                .commit()
                                .delete(PlantedStore.KEYS.job("a"), PlantedStore.KEYS.state("a"))
                                .commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "a state left behind",
                        PlantedStore.ready()
                                .state("a", Phase.PENDING, "w1", 5)
                                .commit()
                                .job("a", JobStatus.DELETING)
                                .commit()
                                .delete(PlantedStore.KEYS.job("a"))
                                .commit()),
                Arguments.of(
                        "states-by-their-writers",
                        "a state removed alone",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .delete(PlantedStore.KEYS.state("a"))
                                .commit()),
                Arguments.of(
                        "lease-bound-keys",
                        "an assignment on no lease",
                        PlantedStore.ready()
                                .assign("w1", "a", 0)
                                .state("a", Phase.SCHEDULED, "w1", 0)
                                .commit()),
                Arguments.of(
                        "lease-bound-keys",
                        "an assignment on another's lease",
                        PlantedStore.ready()
                                .assign("w1", "a", PlantedStore.LEASES.get("w2"))
                                .state("a", Phase.SCHEDULED, "w1", 0)
                                .commit()),
                Arguments.of(
                        "lease-bound-keys",
                        "an assignment that outlives its worker",
                        PlantedStore.ready()
                                .place("w1", "a")
                                .delete(PlantedStore.KEYS.worker("w1"))
                                .commit()),
                Arguments.of(
                        "lease-bound-keys",
                        "a registration on no lease",
                        PlantedStore.ready()
                                .put(PlantedStore.KEYS.worker("w1"), Payload.of("{}"), 0)
                                .commit()),
                Arguments.of(
                        "lease-bound-keys",
                        "a leader that outlives its announcement",
                        PlantedStore.ready()
                                .delete(PlantedStore.KEYS.server("s1"))
                                .commit()),
                Arguments.of(
                        "leader-writes",
                        "a placement while nobody leads",
                        PlantedStore.ready()
                                .delete(PlantedStore.KEYS.server("s1"), PlantedStore.KEYS.leader())
                                .commit()
                                .place("w1", "a")),
                Arguments.of(
                        "leader-writes",
                        "a leader key that is stolen",
                        PlantedStore.ready().leader("s2").commit()),
                Arguments.of(
                        "leader-writes",
                        "an order to stop what isn't placed",
                        PlantedStore.ready().order("w1", "a", 6).commit()));
    }

    @Test
    void commitOfADeposedLeaderIsRefused() {
        PlantedStore store = PlantedStore.ready()
                .delete(PlantedStore.KEYS.server("s1"), PlantedStore.KEYS.leader())
                .commit()
                .leader("s2")
                .commit();
        long at = store.next();
        store.place("w1", "a");
        assertEquals(List.of(), violations(store.withCommits(new Evidence.Commit("s2", "place", "a", at))));
        assertEquals(
                1,
                violations(store.withCommits(new Evidence.Commit("s1", "place", "a", at)))
                        .size());
    }

    @Test
    void runsWithoutAnyLoggedCommitDecideNothing() {
        Evidence.Run run = new Evidence.Run("a", "w1", 6, 0, 1);
        Evidence evidence = PlantedStore.ready().place("w1", "a").evidence(List.of(), List.of(run), List.of());
        assertThrows(Inconclusive.class, () -> new CommitsByTheLeader().violations(evidence));
    }

    @Test
    void historyWithAHoleDecidesNothing() {
        Evidence whole = PlantedStore.ready().place("w1", "a").evidence();
        List<Revision> holed = new ArrayList<>(whole.store());
        holed.remove(2);
        Evidence evidence = new Evidence(whole.keys(), List.of(), holed, whole.last(), List.of(), List.of(), List.of());
        assertUndecided(evidence);
    }

    @Test
    void historyThatLacksAnEventDecidesNothing() {
        Evidence whole = PlantedStore.ready().place("w1", "a").evidence();
        List<Revision> lacking = new ArrayList<>(whole.store());
        Revision last = lacking.remove(lacking.size() - 1);
        List<WatchEvent> some = last.changes().subList(0, 1);
        lacking.add(new Revision(last.number(), some));
        Evidence evidence =
                new Evidence(whole.keys(), List.of(), lacking, whole.last(), List.of(), List.of(), List.of());
        assertUndecided(evidence);
    }

    private static void assertUndecided(Evidence evidence) {
        Checker.Verdict verdict = Checker.judge(evidence);
        assertEquals(1, verdict.undecided().size());
        assertTrue(verdict.undecided().get(0).startsWith("complete-history: "), verdict::toString);
        assertEquals(List.of(), verdict.violations());
    }

    @Test
    void whatOneCheckCantDecideIsNoReasonNotToAskTheOthers() {
        PlantedStore store = PlantedStore.ready();
        store.place("w1", "a").place("w2", "a");
        Evidence.Run run = new Evidence.Run("a", "w1", 6, 0, 1);
        Checker.Verdict verdict = Checker.judge(store.evidence(List.of(), List.of(run), List.of()));
        assertEquals(1, verdict.undecided().size());
        assertTrue(
                verdict.violations().stream().anyMatch(violation -> violation.startsWith("one-placement: ")),
                verdict::toString);
    }

    private static List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        CHECKS.forEach(check ->
                check.violations(evidence).forEach(violation -> violations.add(check.name() + ": " + violation)));
        return violations;
    }
}
