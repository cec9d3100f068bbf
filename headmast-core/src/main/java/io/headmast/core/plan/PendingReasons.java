// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import io.headmast.core.policy.Eligibility;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why jobs wait, counted over the workers, by the same eligibility that placement uses. Jobs that are alike get the same
 * text, worked out once: it lives for one read.
 */
final class PendingReasons implements Observer.Reasons {
    private static final int SHOWN = 5;

    private final ClusterState state;
    private final Map<Alike, String> known = new HashMap<>();

    private record Alike(String domain, int weight, List<RunState.HandBack> handBacks) {}

    PendingReasons(ClusterState state) {
        this.state = state;
    }

    @Override
    public String of(Job job, RunState last) {
        return known.computeIfAbsent(
                new Alike(job.domain(), job.weight(), last.handBacks()), alike -> text(job, alike.handBacks()));
    }

    private String text(Job job, List<RunState.HandBack> handBacks) {
        Map<String, Integer> counts = new TreeMap<>();
        for (WorkerSlot worker : state.workers.values()) {
            worker.facts().ifPresent(facts -> {
                String why = Eligibility.refusal(job, facts)
                        .or(() -> handBacks.stream()
                                .filter(handBack -> handBack.worker().equals(worker.id))
                                .map(handBack -> "handed it back: " + handBack.reason())
                                .findFirst())
                        .orElse("");
                counts.merge(why, 1, Integer::sum);
            });
        }
        if (counts.isEmpty()) {
            return "no worker is live";
        }
        if (counts.containsKey("")) {
            return "waiting to be placed";
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN)
                .map(entry -> entry.getValue() + (entry.getValue() == 1 ? " worker: " : " workers: ") + entry.getKey())
                .collect(Collectors.joining("; "));
    }
}
