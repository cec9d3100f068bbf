// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.headmast.server.faults.check.Evidence.Run;
import io.headmast.server.faults.check.Evidence.Standstill;
import io.headmast.server.faults.check.Operation.Kind;
import io.headmast.server.faults.check.Operation.Outcome;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who ran what when: journals that are as they should be, and planted ones that must be refused. Times in ms. */
class RunChecksTest {
    private static final long GOES_ON = -1;

    private static Run run(String worker, long epoch, long from, long to) {
        return new Run("a", worker, epoch, from * 1_000_000, to == GOES_ON ? Evidence.GOES_ON : to * 1_000_000);
    }

    private static Standstill still(String worker, long from, long to) {
        return new Standstill(worker, from * 1_000_000, to * 1_000_000);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void runsOneAfterAnotherPass(String what, List<Run> runs, List<Standstill> stills) {
        assertEquals(List.of(), sweep(runs, stills), what);
    }

    static Stream<Arguments> runsOneAfterAnotherPass() {
        return Stream.of(
                Arguments.of("one after another", List.of(run("w1", 5, 0, 10), run("w2", 9, 10, GOES_ON)), List.of()),
                Arguments.of(
                        "attempts of one placement", List.of(run("w1", 5, 0, 10), run("w1", 5, 12, 20)), List.of()),
                Arguments.of(
                        "a frozen run beside its successor, which ends on waking",
                        List.of(run("w1", 5, 0, 16_000), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w1", 1_000, 15_000))),
                Arguments.of(
                        "a run that woke between its fence and its lapse, and was a little late",
                        List.of(run("w1", 5, 0, 6_100), run("w2", 9, 6_000, GOES_ON)),
                        List.of(still("w1", 1_000, 5_500))),
                Arguments.of(
                        "a run that stood still again while it ended",
                        List.of(run("w1", 5, 0, 22_000), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w1", 1_000, 15_000), still("w1", 16_000, 21_500))),
                Arguments.of(
                        "a start that was frozen and ends at once",
                        List.of(run("w1", 5, 15_100, 15_300), run("w2", 9, 7_000, 14_000)),
                        List.of(still("w1", 1_000, 15_000))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void plantedRunsAreRefused(String what, List<Run> runs, List<Standstill> stills) {
        assertEquals(1, sweep(runs, stills).size(), what);
    }

    static Stream<Arguments> plantedRunsAreRefused() {
        return Stream.of(
                Arguments.of("two at once", List.of(run("w1", 5, 0, 11), run("w2", 9, 10, GOES_ON)), List.of()),
                Arguments.of("two of one placement", List.of(run("w1", 5, 0, 11), run("w1", 5, 10, 20)), List.of()),
                Arguments.of("an epoch that goes back", List.of(run("w1", 9, 0, 10), run("w2", 5, 20, 30)), List.of()),
                Arguments.of(
                        "another one's standstill",
                        List.of(run("w1", 5, 0, 16_000), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w2", 1_000, 15_000))),
                Arguments.of(
                        "a frozen run that goes on after waking",
                        List.of(run("w1", 5, 0, GOES_ON), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w1", 1_000, 15_000))),
                Arguments.of(
                        "a frozen run that ends too long after waking",
                        List.of(run("w1", 5, 0, 17_001), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w1", 1_000, 15_000))),
                Arguments.of(
                        "a run that had been awake for longer than the margin",
                        List.of(run("w1", 5, 0, 5_900), run("w2", 9, 5_800, GOES_ON)),
                        List.of(still("w1", 1_000, 4_700))),
                Arguments.of(
                        "a run that was frozen only after its successor had begun",
                        List.of(run("w1", 5, 0, 9_000), run("w2", 9, 7_000, GOES_ON)),
                        List.of(still("w1", 7_500, 8_500))),
                Arguments.of(
                        "two of one placement in two places, though one was frozen",
                        List.of(run("w1", 5, 0, 15_100), run("w2", 5, 7_000, GOES_ON)),
                        List.of(still("w1", 1_000, 15_000))));
    }

    @Test
    void runThatWasNeverPlacedIsRefused() {
        PlantedStore store = PlantedStore.ready();
        long epoch = store.next();
        store.place("w1", "a");
        RunsWerePlaced check = new RunsWerePlaced();
        assertEquals(
                List.of(), check.violations(store.evidence(List.of(), List.of(run("w1", epoch, 0, 1)), List.of())));
        for (Run planted : List.of(run("w1", epoch - 1, 0, 1), run("w2", epoch, 0, 1))) {
            assertEquals(
                    1,
                    check.violations(store.evidence(List.of(), List.of(planted), List.of()))
                            .size());
        }
    }

    @Test
    void runAfterAnAcknowledgedOrderIsRefused() {
        List<Run> late = List.of(run("w1", 5, 12_500, GOES_ON));
        for (Kind kind : List.of(Kind.KILL, Kind.STOP, Kind.DELETE)) {
            Operation order = operation(1, kind, 9_000, 10_000, new Outcome.Accepted());
            assertEquals(1, stand(List.of(order), late, List.of()).size());
            Operation lost = operation(1, kind, 9_000, -1, new Outcome.Unknown());
            assertEquals(List.of(), stand(List.of(lost), late, List.of()), "not acknowledged");
        }
    }

    @Test
    void runAfterAnOrderIsExcused() {
        Operation kill = operation(1, Kind.KILL, 9_000, 10_000, new Outcome.Accepted());
        List<Run> soon = List.of(run("w1", 5, 11_900, GOES_ON));
        List<Run> late = List.of(run("w1", 5, 12_500, GOES_ON));
        assertEquals(List.of(), stand(List.of(kill), soon, List.of()), "a start that was on its way");
        assertEquals(List.of(), stand(List.of(kill), late, List.of(still("w1", 9_500, 11_000))), "a frozen worker");
        Operation again = operation(2, Kind.ALIVE, 10_500, 10_600, new Outcome.Accepted());
        assertEquals(List.of(), stand(List.of(kill, again), late, List.of()), "asked again");
        Operation perhaps = operation(2, Kind.ALIVE, 3_000, -1, new Outcome.Unknown());
        assertEquals(List.of(), stand(List.of(kill, perhaps), late, List.of()), "perhaps asked again");
        Operation refused = operation(2, Kind.ALIVE, 10_500, 10_600, new Outcome.Refused());
        assertFalse(stand(List.of(kill, refused), late, List.of()).isEmpty(), "asked in vain");
        Operation before = operation(2, Kind.ALIVE, 3_000, 4_000, new Outcome.Accepted());
        assertFalse(stand(List.of(kill, before), late, List.of()).isEmpty(), "asked before");
        Operation afterwards = operation(2, Kind.ALIVE, 13_000, 14_000, new Outcome.Accepted());
        assertFalse(stand(List.of(kill, afterwards), late, List.of()).isEmpty(), "asked afterwards");
    }

    private static Operation operation(long id, Kind kind, long invoked, long returned, Outcome outcome) {
        long to = returned < 0 ? Long.MAX_VALUE : returned * 1_000_000;
        return new Operation(id, kind, "a", invoked * 1_000_000, to, outcome);
    }

    private static List<String> stand(List<Operation> operations, List<Run> runs, List<Standstill> stills) {
        return new OrdersStand().violations(new PlantedStore().evidence(operations, runs, stills));
    }

    private static List<String> sweep(List<Run> runs, List<Standstill> stills) {
        return new NoRunBesideItsSuccessor().violations(new PlantedStore().evidence(List.of(), runs, stills));
    }
}
