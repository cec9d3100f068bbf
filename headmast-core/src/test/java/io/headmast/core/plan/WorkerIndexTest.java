// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import io.headmast.core.testing.Samples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The index answers as a search through all workers would. */
final class WorkerIndexTest {
    private static final List<String> DOMAINS = List.of("a", "ab", "b");
    private static final int WORKERS = 12;

    private final WorkerIndex index = new WorkerIndex();
    private final TreeMap<String, WorkerSlot> slots = new TreeMap<>();

    static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void indexAnswersAsASearchThroughAllWorkersWould(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            change(random);
            String domain = DOMAINS.get(random.nextInt(DOMAINS.size()));
            int weight = 1 + random.nextInt(3);
            String excluded = "w" + random.nextInt(WORKERS);
            Candidates candidates = index.candidates(domain, weight, excluded::equals);
            List<Candidate> searched = search(domain, weight, excluded::equals);
            List<Candidate> listed = new ArrayList<>();
            candidates.inIdOrder().forEach(listed::add);
            assertEquals(searched, listed);
            assertEquals(searched.stream().min(Candidate.BY_UTILISATION), candidates.leastUtilised());
            String last = "w" + random.nextInt(WORKERS);
            assertEquals(nextAfter(searched, last), candidates.nextAfter(last));
            assertEquals(nextAfter(searched, ""), candidates.nextAfter(""));
            slots.keySet()
                    .forEach(id -> assertEquals(
                            searched.stream().anyMatch(one -> one.workerId().equals(id)), candidates.contains(id)));
        }
    }

    private void change(Random random) {
        WorkerSlot slot = slots.computeIfAbsent("w" + random.nextInt(WORKERS), WorkerSlot::new);
        switch (random.nextInt(5)) {
            case 0 -> slot.registration = null;
            case 1 -> slot.cordon = random.nextBoolean() ? null : new Known<>(Optional.of(Samples.cordon()), 1, 1, 0);
            case 2 -> slot.used = random.nextInt(8);
            default -> {
                Set<String> domains = new HashSet<>(DOMAINS);
                domains.removeIf(domain -> random.nextBoolean());
                OptionalLong capacity =
                        random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextInt(9));
                slot.registration = new Known<>(
                        Optional.of(Samples.worker(slot.id, domains, capacity, OptionalDouble.of(random.nextInt(2)))),
                        1,
                        1,
                        1);
            }
        }
        index.refresh(slot);
    }

    private List<Candidate> search(String domain, int weight, Predicate<String> excluded) {
        return slots.values().stream()
                .filter(slot -> !excluded.test(slot.id))
                .filter(slot ->
                        slot.live().filter(worker -> worker.serves(domain)).isPresent())
                .flatMap(slot -> slot.open().stream())
                .filter(candidate -> candidate.hasRoomFor(weight))
                .sorted(Comparator.comparing(Candidate::workerId))
                .toList();
    }

    private static Optional<Candidate> nextAfter(List<Candidate> all, String last) {
        Optional<Candidate> after =
                all.stream().filter(one -> one.workerId().compareTo(last) > 0).findFirst();
        return after.isPresent() ? after : all.stream().findFirst();
    }
}
