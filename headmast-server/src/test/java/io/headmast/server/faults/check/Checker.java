// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import java.util.ArrayList;
import java.util.List;

/** All checks of a run, one after another. */
public final class Checker {
    /** The first says whether the others mean anything. */
    static final List<Check> ALL = List.of(
            new CompleteHistory(),
            new NoRunBesideItsSuccessor(),
            new RunsWerePlaced(),
            new OnePlacement(),
            new PlacedOnlyWhatMayRun(),
            new StatesByTheirWriters(),
            new LeaseBoundKeys(),
            new LeaderWrites(),
            new CommitsByTheLeader(),
            new OrdersStand(),
            new AnswersWereTrue(),
            new Linearizability(),
            new QuietEnd());

    private Checker() {}

    /** What isn't as it should be in the end; nothing if the cluster is at rest. */
    public static List<String> unrest(Evidence evidence) {
        return new QuietEnd().violations(evidence);
    }

    /**
     * Every breach, with the name of its check before it.
     *
     * @throws Inconclusive if the evidence doesn't suffice for one of the checks
     */
    public static List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (Check check : ALL) {
            check.violations(evidence).forEach(violation -> violations.add(check.name() + ": " + violation));
        }
        return violations;
    }
}
