// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.server.faults.check.Evidence.Run;
import io.headmast.server.faults.check.Evidence.Standstill;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs of a job never overlap, and their epochs never go back. One exception is promised away by no scheduler: a process
 * that stood still past its fence can't stop what it runs. Such a run may be overlapped by one of a higher epoch, and
 * must end within {@link #WAKE_LIMIT} of its process being awake again. A standstill that ended longer than {@link
 * #STOP_MARGIN} before the successor began excuses nothing: there was time to stop.
 */
final class NoRunBesideItsSuccessor implements Check {
    /** How soon after waking a superseded run must have ended. */
    static final Duration WAKE_LIMIT = Duration.ofSeconds(2);

    /** What a worker has to stop in before its lease can lapse: a fifth of the TTL of 5 s. */
    static final Duration STOP_MARGIN = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "no-run-beside-its-successor";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<String, List<Run>> byJob = new TreeMap<>();
        evidence.runs()
                .forEach(run -> byJob.computeIfAbsent(run.job(), job -> new ArrayList<>())
                        .add(run));
        List<String> violations = new ArrayList<>();
        byJob.values().forEach(runs -> {
            runs.sort(Comparator.comparingLong(Run::epoch).thenComparingLong(Run::from));
            for (int i = 0; i < runs.size(); i++) {
                for (int j = i + 1; j < runs.size(); j++) {
                    judge(runs.get(i), runs.get(j), evidence, violations);
                }
            }
        });
        return violations;
    }

    private static void judge(Run former, Run latter, Evidence evidence, List<String> violations) {
        if (former.to() <= latter.from()) {
            return;
        }
        if (former.epoch() == latter.epoch() || !isExcused(former, latter, evidence)) {
            String how = former.from() >= latter.to() ? "began after" : "overlaps";
            violations.add(former + " " + how + " " + latter);
        }
    }

    private static boolean isExcused(Run former, Run latter, Evidence evidence) {
        return evidence.standstills().stream()
                .filter(still -> still.worker().equals(former.worker()))
                .anyMatch(still -> still.from() <= Math.max(former.from(), latter.from())
                        && still.to() >= latter.from() - STOP_MARGIN.toNanos()
                        && awake(former.to(), still, evidence) <= WAKE_LIMIT.toNanos());
    }

    /** For how long the process was awake between a standstill and a moment after it. */
    private static long awake(long until, Standstill after, Evidence evidence) {
        if (until == Evidence.GOES_ON) {
            return Long.MAX_VALUE;
        }
        long awake = until - after.to();
        for (Standstill still : evidence.standstills()) {
            if (still.worker().equals(after.worker()) && still.from() >= after.to()) {
                awake -= Math.max(0, Math.min(until, still.to()) - Math.min(until, still.from()));
            }
        }
        return awake;
    }
}
