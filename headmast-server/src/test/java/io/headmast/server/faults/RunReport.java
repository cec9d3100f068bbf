// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.Keys;
import io.headmast.core.store.WatchEvent;
import io.headmast.server.faults.check.Evidence;
import io.headmast.server.faults.check.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What came of one run.
 *
 * @param operations how many had each outcome
 * @param inconclusive why the evidence didn't suffice
 */
record RunReport(
        long seed,
        Duration rest,
        Counts counts,
        Map<String, Integer> operations,
        List<Met> faults,
        List<String> skipped,
        List<String> violations,
        Optional<String> inconclusive) {
    /**
     * @param revisions of the store
     * @param runs of jobs
     * @param lapsed leases that ended with a worker's registration on them
     * @param leaders how often the leader key went away
     * @param standstills of workers
     * @param breaks of the recorder's watch
     */
    record Counts(int revisions, int runs, int lapsed, int leaders, int standstills, int breaks) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);
    }

    /**
     * A fault that happened.
     *
     * @param bit whether anybody felt it
     * @param acknowledged changes while it lasted
     */
    record Met(String fault, String target, Duration lasted, boolean bit, long acknowledged) {}

    /** A run tells something only if a fault bit, and work was acknowledged under faults. */
    boolean tells() {
        return inconclusive.isEmpty()
                && faults.stream().anyMatch(Met::bit)
                && faults.stream().mapToLong(Met::acknowledged).sum() > 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append("seed ").append(seed).append(": ");
        text.append(inconclusive
                .map(why -> "INCONCLUSIVE " + why)
                .orElse(violations.isEmpty() ? "ok" : violations.size() + " VIOLATIONS"));
        text.append(tells() ? "" : " (doesn't count)");
        text.append("; operations ").append(operations);
        text.append("; ")
                .append(counts)
                .append("; at rest after ")
                .append(rest.toMillis())
                .append(" ms");
        for (Met met : faults) {
            text.append("\n    ")
                    .append(met.fault())
                    .append(" of ")
                    .append(met.target())
                    .append(" for ")
                    .append(met.lasted().toMillis())
                    .append(" ms, ")
                    .append(met.bit() ? "bit" : "did not bite")
                    .append(", acknowledged meanwhile: ")
                    .append(met.acknowledged());
        }
        skipped.forEach(fault -> text.append("\n    ").append(fault).append(" found nothing to happen to"));
        violations.forEach(violation -> text.append("\n    VIOLATION ").append(violation));
        return text.toString();
    }

    /** Gathers a report. */
    static final class Builder {
        private final long seed;
        private final Duration rest;
        private final Map<String, Integer> operations = new TreeMap<>();
        private final List<Met> faults = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();
        private final List<String> violations = new ArrayList<>();
        private Counts counts = Counts.NONE;
        private Optional<String> inconclusive = Optional.empty();

        Builder(long seed, Duration rest) {
            this.seed = seed;
            this.rest = rest;
        }

        Builder counts(Evidence evidence) {
            for (Operation operation : evidence.operations()) {
                operations.merge(operation.outcome().getClass().getSimpleName(), 1, Integer::sum);
            }
            counts = new Counts(
                    evidence.store().size(),
                    evidence.runs().size(),
                    deletions(evidence, Keys.Name.OfWorker.class),
                    deletions(evidence, Keys.Name.Leader.class),
                    evidence.standstills().size(),
                    0);
            return this;
        }

        private static int deletions(Evidence evidence, Class<? extends Keys.Name> kind) {
            return (int) evidence.store().stream()
                    .flatMap(revision -> revision.changes().stream())
                    .filter(change -> change instanceof WatchEvent.Delete)
                    .filter(change -> evidence.keys()
                            .parse(change.key())
                            .filter(kind::isInstance)
                            .isPresent())
                    .count();
        }

        Builder recorderBreaks(int breaks) {
            counts = new Counts(
                    counts.revisions, counts.runs, counts.lapsed, counts.leaders, counts.standstills, breaks);
            return this;
        }

        Builder fault(Injector.Injected injected, boolean bit, long acknowledged) {
            faults.add(new Met(
                    injected.fault(),
                    injected.trouble().target(),
                    Duration.ofNanos(injected.to() - injected.from()),
                    bit,
                    acknowledged));
            return this;
        }

        Builder skipped(String fault) {
            skipped.add(fault);
            return this;
        }

        Builder violation(String violation) {
            violations.add(violation);
            return this;
        }

        Builder inconclusive(String why) {
            inconclusive = Optional.of(why);
            return this;
        }

        RunReport build() {
            return new RunReport(seed, rest, counts, operations, faults, skipped, violations, inconclusive);
        }
    }
}
