// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.JobStatus;
import io.headmast.api.TargetState;
import io.headmast.server.faults.check.Operation.Kind;
import io.headmast.server.faults.check.Operation.Outcome;
import io.headmast.server.faults.check.Operation.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients were told: histories that one record explains, and planted ones that none does. */
class LinearizabilityTest {
    private static final Outcome ABSENT = new Outcome.Absent();
    private static final Outcome REFUSED = new Outcome.Refused();
    private static final Outcome UNKNOWN = new Outcome.Unknown();
    private static final Outcome ACCEPTED = new Outcome.Accepted();

    /** Short words for histories: operations get their ids by their place. */
    private static final class History {
        private final List<Operation> operations = new ArrayList<>();

        History op(Kind kind, long from, long to, Outcome outcome) {
            operations.add(new Operation(
                    operations.size(), kind, "a", from, outcome == UNKNOWN ? Long.MAX_VALUE : to, outcome));
            return this;
        }

        List<String> violations() {
            return new Linearizability().violations(new PlantedStore().evidence(operations, List.of(), List.of()));
        }
    }

    private static History history() {
        return new History();
    }

    private static Outcome created(long generation, long revision) {
        return new Outcome.Shown(new Seen(JobStatus.CREATED, TargetState.LAUNCHED, generation, revision));
    }

    private static Outcome killed(long revision) {
        return new Outcome.Shown(new Seen(JobStatus.KILLED, TargetState.LAUNCHED, 1, revision));
    }

    private static Outcome deleting(long revision) {
        return new Outcome.Shown(new Seen(JobStatus.DELETING, TargetState.LAUNCHED, 1, revision));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void historyThatOneRecordExplainsPasses(String what, History history) {
        assertEquals(List.of(), history.violations(), what);
    }

    static Stream<Arguments> historyThatOneRecordExplainsPasses() {
        return Stream.of(
                Arguments.of(
                        "a life",
                        history()
                                .op(Kind.READ, 0, 1, ABSENT)
                                .op(Kind.SUBMIT, 2, 3, created(1, 5))
                                .op(Kind.SUBMIT, 4, 5, created(1, 5))
                                .op(Kind.RESTART, 6, 7, created(2, 6))
                                .op(Kind.SUBMIT, 8, 9, REFUSED)
                                .op(Kind.DELETE, 10, 11, ACCEPTED)
                                .op(Kind.KILL, 12, 13, REFUSED)
                                .op(Kind.READ, 14, 15, ABSENT)
                                .op(Kind.KILL, 16, 17, ABSENT)
                                .op(Kind.SUBMIT, 18, 19, created(1, 9))),
                Arguments.of(
                        "a kill that is seen while it is on its way",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 10, killed(7))
                                .op(Kind.READ, 3, 4, created(1, 5))
                                .op(Kind.READ, 5, 6, killed(7))),
                Arguments.of(
                        "a lost kill that took effect late",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, UNKNOWN)
                                .op(Kind.READ, 4, 5, created(1, 5))
                                .op(Kind.READ, 6, 7, killed(8))),
                Arguments.of(
                        "a lost kill that never took effect",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, UNKNOWN)
                                .op(Kind.READ, 4, 5, created(1, 5))),
                Arguments.of(
                        "a lost submission that a deletion found",
                        history()
                                .op(Kind.SUBMIT, 0, 1, UNKNOWN)
                                .op(Kind.DELETE, 2, 3, ACCEPTED)
                                .op(Kind.READ, 4, 5, deleting(9))),
                Arguments.of(
                        "a kill that was given twice around one that undid it",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 20, killed(9))
                                .op(Kind.READ, 3, 4, killed(6))
                                .op(Kind.ALIVE, 5, 6, created(1, 7))
                                .op(Kind.READ, 7, 8, created(1, 7))),
                Arguments.of(
                        "a deletion that finds nothing after it was the one",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.DELETE, 2, 9, ABSENT)
                                .op(Kind.READ, 3, 4, deleting(6))),
                Arguments.of(
                        "what did not come to a server",
                        history().op(Kind.SUBMIT, 0, 1, new Outcome.Failed()).op(Kind.READ, 2, 3, ABSENT)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void plantedHistoryIsRefused(String what, History history) {
        assertEquals(1, history.violations().size(), what);
    }

    static Stream<Arguments> plantedHistoryIsRefused() {
        return Stream.of(
                Arguments.of(
                        "a read from the past",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, killed(7))
                                .op(Kind.READ, 4, 5, created(1, 5))),
                Arguments.of(
                        "an acknowledged job that is lost",
                        history().op(Kind.SUBMIT, 0, 1, created(1, 5)).op(Kind.READ, 2, 3, ABSENT)),
                Arguments.of(
                        "an acknowledged kill that is lost",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, killed(7))
                                .op(Kind.READ, 4, 5, created(1, 9))),
                Arguments.of(
                        "a change that nobody asked for",
                        history().op(Kind.SUBMIT, 0, 1, created(1, 5)).op(Kind.READ, 2, 3, killed(7))),
                Arguments.of(
                        "a failed kill that took effect",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, new Outcome.Failed())
                                .op(Kind.READ, 4, 5, killed(7))),
                Arguments.of(
                        "a refused restart that took effect",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.RESTART, 2, 3, REFUSED)
                                .op(Kind.READ, 4, 5, created(2, 6))),
                Arguments.of(
                        "a lost kill that took effect before it was given",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.READ, 2, 3, killed(7))
                                .op(Kind.KILL, 4, 5, UNKNOWN)),
                Arguments.of(
                        "a kill that took effect again after its answer",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, killed(6))
                                .op(Kind.ALIVE, 4, 5, created(1, 7))
                                .op(Kind.READ, 6, 7, killed(8))),
                Arguments.of(
                        "a restart that took effect twice",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.RESTART, 2, 3, created(2, 6))
                                .op(Kind.READ, 4, 5, created(3, 7))),
                Arguments.of(
                        "a restart that took effect twice before its answer",
                        history().op(Kind.SUBMIT, 0, 1, created(1, 5)).op(Kind.RESTART, 2, 9, created(3, 7))),
                Arguments.of(
                        "a deleted job that comes back",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.DELETE, 2, 3, ACCEPTED)
                                .op(Kind.READ, 4, 5, ABSENT)
                                .op(Kind.READ, 6, 7, created(1, 5))),
                Arguments.of(
                        "a revision that goes back",
                        history().op(Kind.SUBMIT, 0, 1, created(1, 5)).op(Kind.KILL, 2, 3, killed(4))),
                Arguments.of(
                        "a revision that changes by itself",
                        history().op(Kind.SUBMIT, 0, 1, created(1, 5)).op(Kind.READ, 2, 3, created(1, 6))),
                Arguments.of(
                        "a second one of an id that is taken",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 3, killed(6))
                                .op(Kind.SUBMIT, 4, 5, created(1, 7))),
                Arguments.of(
                        "two reads that saw two orders",
                        history()
                                .op(Kind.SUBMIT, 0, 1, created(1, 5))
                                .op(Kind.KILL, 2, 20, killed(7))
                                .op(Kind.READ, 3, 4, killed(7))
                                .op(Kind.READ, 5, 6, created(1, 5))));
    }

    @Test
    void manyLostOrdersAreSearchedInTime() {
        History history = history().op(Kind.SUBMIT, 0, 1, created(1, 1));
        for (int i = 0; i < 20; i++) {
            history.op(Kind.KILL, 10 + i, 0, UNKNOWN).op(Kind.ALIVE, 10 + i, 0, UNKNOWN);
            history.op(Kind.READ, 100 + 2 * i, 101 + 2 * i, i % 2 == 0 ? killed(10 + i) : created(1, 10 + i));
        }
        assertEquals(List.of(), history.violations());
        history.op(Kind.READ, 200, 201, created(2, 100));
        assertTrue(history.violations().get(0).contains("no order explains"));
    }

    @Test
    void answerThatTheStoreNeverHeldIsRefused() {
        Operation true1 = new Operation(1, Kind.READ, "a", 0, 1, created(1, 5));
        Operation lie = new Operation(2, Kind.KILL, "a", 2, 3, killed(6));
        AnswersWereTrue check = new AnswersWereTrue();
        PlantedStore store = PlantedStore.ready();
        assertEquals(List.of(), check.violations(store.evidence(List.of(true1), List.of(), List.of())));
        assertEquals(
                1,
                check.violations(store.evidence(List.of(true1, lie), List.of(), List.of()))
                        .size());
    }

    @Test
    void historySurvivesItsFile() {
        List<String> lines = List.of(
                OperationLines.invoke(1, Kind.SUBMIT, "a", 10),
                OperationLines.invoke(2, Kind.KILL, "b", 11),
                OperationLines.outcome(1, 12, created(1, 5), ""),
                OperationLines.invoke(3, Kind.DELETE, "b", 13),
                OperationLines.outcome(3, 14, UNKNOWN, "no answer"));
        assertEquals(
                List.of(
                        new Operation(1, Kind.SUBMIT, "a", 10, 12, created(1, 5)),
                        new Operation(2, Kind.KILL, "b", 11, Long.MAX_VALUE, UNKNOWN),
                        new Operation(3, Kind.DELETE, "b", 13, Long.MAX_VALUE, UNKNOWN)),
                OperationLines.parse(lines));
        for (Outcome outcome : List.of(ACCEPTED, ABSENT, REFUSED, new Outcome.Failed())) {
            List<String> two = List.of(lines.get(0), OperationLines.outcome(1, 12, outcome, ""));
            assertEquals(List.of(new Operation(1, Kind.SUBMIT, "a", 10, 12, outcome)), OperationLines.parse(two));
        }
    }
}
