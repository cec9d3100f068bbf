// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/** When runs are to be looked at although nothing happens, by the monotonic clock: one time at most for each job. */
final class Alarms {
    private final NavigableSet<Alarm> inOrder = new TreeSet<>();
    private final Map<String, Alarm> byJob = new HashMap<>();

    private record Alarm(long atNanos, String jobId) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            // A monotonic clock may begin anywhere, so only differences mean anything.
            int byTime = Long.signum(atNanos - other.atNanos);
            return byTime != 0 ? byTime : jobId.compareTo(other.jobId);
        }
    }

    /** Takes the place of what was set for the job before. */
    void set(String jobId, OptionalLong atNanos) {
        Alarm before = byJob.remove(jobId);
        if (before != null) {
            inOrder.remove(before);
        }
        if (atNanos.isPresent()) {
            Alarm alarm = new Alarm(atNanos.getAsLong(), jobId);
            byJob.put(jobId, alarm);
            inOrder.add(alarm);
        }
    }

    /** Takes out the jobs whose time has come. */
    List<String> due(long nanos) {
        List<String> due = new ArrayList<>();
        while (!inOrder.isEmpty() && inOrder.first().atNanos - nanos <= 0) {
            Alarm alarm = inOrder.pollFirst();
            byJob.remove(alarm.jobId);
            due.add(alarm.jobId);
        }
        return due;
    }

    OptionalLong next() {
        return inOrder.isEmpty() ? OptionalLong.empty() : OptionalLong.of(inOrder.first().atNanos);
    }
}
