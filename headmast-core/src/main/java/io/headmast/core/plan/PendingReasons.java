// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.RunState;
import io.headmast.core.policy.Eligibility;
import io.headmast.core.policy.WorkerFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why jobs wait, counted over the workers, by the same eligibility that placement uses, on what is stored alone. Jobs that
 * are alike get the same text, worked out once: it is good until something changes on the workers.
 */
final class PendingReasons implements Observer.Reasons {
    private static final int SHOWN = 5;
    private static final int MAX_KNOWN = 10_000;

    private final ClusterState state;
    private final Map<Alike, String> known = new HashMap<>();

    private record Alike(String domain, int weight, List<RunState.HandBack> handBacks) {}

    PendingReasons(ClusterState state) {
        this.state = state;
    }

    @Override
    public String of(Job job, RunState last) {
        if (known.size() >= MAX_KNOWN) {
            known.clear();
        }
        return known.computeIfAbsent(
                new Alike(job.domain(), job.weight(), last.handBacks()), alike -> text(job, alike.handBacks()));
    }

    private String text(Job job, List<RunState.HandBack> handBacks) {
        Map<String, Integer> counts = new TreeMap<>();
        for (WorkerSlot worker : state.workers.values()) {
            Optional<WorkerFacts> facts = worker.storedFacts();
            if (facts.isPresent()) {
                Optional<String> why = refusal(job, handBacks, facts.get());
                if (why.isEmpty()) {
                    // Whatever the others say: so a job that is placed soon costs little however many workers there
                    // are.
                    return "waiting to be placed";
                }
                counts.merge(why.get(), 1, Integer::sum);
            }
        }
        if (counts.isEmpty()) {
            return "no worker is live";
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN)
                .map(entry -> entry.getValue() + (entry.getValue() == 1 ? " worker: " : " workers: ") + entry.getKey())
                .collect(Collectors.joining("; "));
    }

    private static Optional<String> refusal(Job job, List<RunState.HandBack> handBacks, WorkerFacts worker) {
        return Eligibility.refusal(job, worker)
                .or(() -> handBacks.stream()
                        .filter(handBack ->
                                handBack.worker().equals(worker.registration().id()))
                        .map(handBack -> "handed it back: " + handBack.reason())
                        .findFirst());
    }
}
