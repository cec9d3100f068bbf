// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import java.util.Map;
import java.util.TreeMap;

/** What came of several runs. */
final class RunTotals {
    private final Map<String, int[]> faults = new TreeMap<>();
    private final Map<String, Integer> operations = new TreeMap<>();
    private int runs;
    private int telling;
    private int inconclusive;
    private int violations;
    private int lapsed;
    private int leaders;
    private int jobRuns;
    private long revisions;

    void add(RunReport report) {
        runs++;
        telling += report.tells() ? 1 : 0;
        inconclusive += report.inconclusive().isPresent() ? 1 : 0;
        violations += report.violations().size();
        lapsed += report.counts().lapsed();
        leaders += report.counts().leaders();
        jobRuns += report.counts().runs();
        revisions += report.counts().revisions();
        report.operations().forEach((outcome, count) -> operations.merge(outcome, count, Integer::sum));
        for (RunReport.Met met : report.faults()) {
            int[] count = faults.computeIfAbsent(met.fault(), name -> new int[2]);
            count[0]++;
            count[1] += met.bit() ? 1 : 0;
        }
    }

    boolean areGood() {
        return violations == 0 && inconclusive == 0 && telling == runs;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("runs ").append(runs).append(", of which count ").append(telling);
        text.append(", inconclusive ").append(inconclusive);
        text.append("; VIOLATIONS ").append(violations);
        text.append("\noperations ").append(operations);
        text.append("\nleases of workers that ended ").append(lapsed);
        text.append(", changes of the leader ").append(leaders);
        text.append(", runs of jobs ").append(jobRuns);
        text.append(", revisions ").append(revisions);
        text.append("\nfaults (happened, bit):");
        faults.forEach((name, count) -> text.append("\n    ")
                .append(name)
                .append(' ')
                .append(count[0])
                .append(", ")
                .append(count[1]));
        return text.toString();
    }
}
