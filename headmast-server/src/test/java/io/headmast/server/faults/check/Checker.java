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
     * What came of all checks.
     *
     * @param violations every breach, with the name of its check before it
     * @param undecided why checks decided nothing; without any, no violation means that all is well
     */
    public record Verdict(List<String> violations, List<String> undecided) {}

    /** Whatever one check can't decide, the others are asked, unless the history of the store isn't whole. */
    public static Verdict judge(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        List<String> undecided = new ArrayList<>();
        for (Check check : ALL) {
            try {
                check.violations(evidence).forEach(violation -> violations.add(check.name() + ": " + violation));
            } catch (Inconclusive e) {
                undecided.add(check.name() + ": " + e.getMessage());
                if (check instanceof CompleteHistory) {
                    break;
                }
            }
        }
        return new Verdict(violations, undecided);
    }
}
