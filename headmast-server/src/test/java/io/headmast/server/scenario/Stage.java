// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where handlers say what they do, whichever worker they are on: the truth that the servers' view is held against. It
 * notices at once when a job runs twice, and when an epoch doesn't grow.
 */
final class Stage {
    private final Map<String, Act> running = new TreeMap<>();
    private final Map<String, Long> lastEpoch = new HashMap<>();
    private final Map<String, Integer> starts = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    /** One run as its handler lives it. */
    record Act(String worker, long epoch) {}

    LifecycleHandler handler(String worker) {
        return new LifecycleHandler() {
            @Override
            public void start(JobContext context) {
                enter(worker, context);
            }

            @Override
            public void stop(JobContext context) {
                leave(worker, context);
            }
        };
    }

    private synchronized void enter(String worker, JobContext context) {
        String id = context.job().id();
        Act before = running.put(id, new Act(worker, context.epoch()));
        if (before != null) {
            violations.add(id + " runs on " + before + " and starts on " + worker);
        }
        Long last = lastEpoch.put(id, context.epoch());
        if (last != null && last > context.epoch()) {
            violations.add(id + " starts with epoch " + context.epoch() + " after " + last);
        }
        starts.merge(id, 1, Integer::sum);
    }

    private synchronized void leave(String worker, JobContext context) {
        if (!running.remove(context.job().id(), new Act(worker, context.epoch()))) {
            violations.add(context.job().id() + " stops on " + worker + " where it doesn't run");
        }
    }

    /** Where each job runs. */
    synchronized Map<String, Act> running() {
        return new TreeMap<>(running);
    }

    /** How many jobs run on each worker. */
    synchronized Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        running.values().forEach(act -> counts.merge(act.worker(), 1, Integer::sum));
        return counts;
    }

    synchronized int size() {
        return running.size();
    }

    synchronized int starts(String jobId) {
        return starts.getOrDefault(jobId, 0);
    }

    /** Of all jobs together. */
    synchronized int starts() {
        return starts.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
