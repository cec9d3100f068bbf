// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who runs what, over all workers; refuses a job that runs twice at a time, and epochs that don't rise. */
public final class RunLog {
    private record Run(String workerId, long epoch) {}

    private final Map<String, Run> running = new TreeMap<>();
    private final Map<String, Long> lastEpoch = new TreeMap<>();
    private final Map<String, Integer> starts = new TreeMap<>();

    void started(String jobId, String workerId, long epoch) {
        Run other = running.putIfAbsent(jobId, new Run(workerId, epoch));
        if (other != null) {
            throw new AssertionError(jobId + " starts on " + workerId + "@" + epoch + " and still runs on "
                    + other.workerId + "@" + other.epoch);
        }
        long last = lastEpoch.getOrDefault(jobId, 0L);
        if (epoch <= last) {
            throw new AssertionError(jobId + " starts with epoch " + epoch + " after " + last);
        }
        lastEpoch.put(jobId, epoch);
        starts.merge(jobId, 1, Integer::sum);
    }

    void ended(String jobId) {
        running.remove(jobId);
    }

    void workerEnded(String workerId) {
        running.values().removeIf(run -> run.workerId.equals(workerId));
    }

    /** The jobs that run, by ascending id. */
    public List<String> running() {
        return List.copyOf(running.keySet());
    }

    /** The jobs that run on a worker, by ascending id. */
    public List<String> runningOn(String workerId) {
        List<String> jobs = new ArrayList<>();
        running.forEach((jobId, run) -> {
            if (run.workerId.equals(workerId)) {
                jobs.add(jobId);
            }
        });
        return Collections.unmodifiableList(jobs);
    }

    public int starts(String jobId) {
        return starts.getOrDefault(jobId, 0);
    }

    public int starts() {
        return starts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
