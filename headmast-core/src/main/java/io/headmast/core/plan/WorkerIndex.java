// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Worker;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The workers that take new placements, by domain, ordered by id and by utilisation, so that choosing one costs O(log W).
 * A worker that serves every domain stands in a group of its own rather than in each.
 */
final class WorkerIndex {
    /** No domain is called that: names aren't empty. */
    private static final String EVERY_DOMAIN = "";

    private final Map<String, Group> groups = new TreeMap<>();

    private static final class Group {
        final NavigableMap<String, Candidate> byId = new TreeMap<>();
        final NavigableSet<Candidate> byUtilisation = new TreeSet<>(Candidate.BY_UTILISATION);
    }

    /** Brings the index up to date with a worker. */
    void refresh(WorkerSlot worker) {
        Candidate now = worker.open().orElse(null);
        Set<String> domains = worker.live().map(WorkerIndex::domainsOf).orElse(Set.of());
        if (Objects.equals(worker.indexed, now) && worker.indexedUnder.equals(domains)) {
            return;
        }
        remove(worker);
        if (now != null) {
            for (String domain : domains) {
                Group group = groups.computeIfAbsent(domain, key -> new Group());
                group.byId.put(worker.id, now);
                group.byUtilisation.add(now);
            }
            worker.indexed = now;
            worker.indexedUnder = domains;
        }
    }

    /** Takes a worker out. */
    void remove(WorkerSlot worker) {
        Candidate before = worker.indexed;
        if (before == null) {
            return;
        }
        for (String domain : worker.indexedUnder) {
            Group group = groups.get(domain);
            if (group != null) {
                group.byId.remove(worker.id);
                group.byUtilisation.remove(before);
                if (group.byId.isEmpty()) {
                    groups.remove(domain);
                }
            }
        }
        worker.indexed = null;
        worker.indexedUnder = Set.of();
    }

    /** The workers for a job of that domain and weight, less those that {@code excluded} names. */
    Candidates candidates(String domain, int weight, Predicate<String> excluded) {
        List<Group> serving = new ArrayList<>(2);
        for (String name : List.of(EVERY_DOMAIN, domain)) {
            Group group = groups.get(name);
            if (group != null) {
                serving.add(group);
            }
        }
        return new View(serving, candidate -> candidate.hasRoomFor(weight) && !excluded.test(candidate.workerId()));
    }

    private static Set<String> domainsOf(Worker worker) {
        return worker.domains().isEmpty() ? Set.of(EVERY_DOMAIN) : worker.domains();
    }

    private record View(List<Group> serving, Predicate<Candidate> eligible) implements Candidates {
        @Override
        public Optional<Candidate> leastUtilised() {
            return first(group -> group.byUtilisation, Candidate.BY_UTILISATION);
        }

        @Override
        public Optional<Candidate> nextAfter(String workerId) {
            Optional<Candidate> after = first(
                    group -> group.byId.tailMap(workerId, false).values(), Comparator.comparing(Candidate::workerId));
            return after.isPresent()
                    ? after
                    : first(group -> group.byId.values(), Comparator.comparing(Candidate::workerId));
        }

        @Override
        public boolean contains(String workerId) {
            return serving.stream()
                    .map(group -> group.byId.get(workerId))
                    .anyMatch(candidate -> candidate != null && eligible.test(candidate));
        }

        @Override
        public Iterable<Candidate> inIdOrder() {
            return serving.stream()
                    .flatMap(group -> group.byId.values().stream())
                    .filter(eligible)
                    .sorted(Comparator.comparing(Candidate::workerId))
                    .toList();
        }

        /** The first eligible of each group, which is ordered by {@code order}, and of these the first. */
        private Optional<Candidate> first(Function<Group, Iterable<Candidate>> ordered, Comparator<Candidate> order) {
            @Nullable Candidate best = null;
            for (Group group : serving) {
                Iterator<Candidate> inOrder = ordered.apply(group).iterator();
                while (inOrder.hasNext()) {
                    Candidate candidate = inOrder.next();
                    if (eligible.test(candidate)) {
                        best = best == null || order.compare(candidate, best) < 0 ? candidate : best;
                        break;
                    }
                }
            }
            return Optional.ofNullable(best);
        }
    }
}
