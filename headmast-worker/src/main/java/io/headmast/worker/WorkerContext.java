// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Names;
import io.headmast.api.json.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a worker is told before it starts. Immutable. The seed's {@code WorkerContext} held the endpoints alone.
 *
 * @param etcdEndpoints where etcd is, such as {@code http://127.0.0.1:2379}
 * @param prefix of headmast's keys
 * @param workerId its id; if absent the one kept in the data directory, or a random one
 * @param dataDir where id and lock are kept, so that a restart within the TTL takes its jobs up again at once
 * @param leaseTtl how long after its last sign of life its jobs go elsewhere, 2 s to 1 h
 * @param capacity the sum of weights it takes; empty for no limit
 * @param domains the domains it takes jobs of; empty for those it has handlers for
 * @param metadata of its machine
 * @param publicIp of its machine; empty if unknown
 * @param limits how much it runs at once and how long it waits
 */
public record WorkerContext(
        List<String> etcdEndpoints,
        String prefix,
        Optional<String> workerId,
        Optional<Path> dataDir,
        Duration leaseTtl,
        OptionalLong capacity,
        Set<String> domains,
        Map<String, String> metadata,
        String publicIp,
        Limits limits) {
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(2);
    private static final Duration LONGEST_TTL = Duration.ofHours(1);

    /**
     * @param handlerThreads how many blocking handlers may run at once; further jobs are handed back
     * @param stopPatience after how long a handler that doesn't stop is reported, and interrupted again
     * @param closeLimit how long {@link HeadmastWorker#close()} waits for its jobs to stop
     * @param startLimit how long {@link HeadmastWorker.Builder#start()} waits to be registered
     */
    public record Limits(int handlerThreads, Duration stopPatience, Duration closeLimit, Duration startLimit) {
        public static final Limits DEFAULT =
                new Limits(1024, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(30));

        /** @throws HeadmastException.Invalid naming what is at fault */
        public Limits {
            if (handlerThreads < 1) {
                throw new HeadmastException.Invalid("handlerThreads", "must be at least 1");
            }
            if (stopPatience.compareTo(Duration.ofMillis(1)) < 0) {
                throw new HeadmastException.Invalid("stopPatience", "must be at least 1ms");
            }
            if (closeLimit.isNegative() || startLimit.isNegative()) {
                throw new HeadmastException.Invalid(
                        closeLimit.isNegative() ? "closeLimit" : "startLimit", "must not be negative");
            }
        }
    }

    /** @throws HeadmastException.Invalid naming what is at fault */
    public WorkerContext {
        if (etcdEndpoints.isEmpty()) {
            throw new HeadmastException.Invalid("etcdEndpoints", "must name at least one endpoint");
        }
        if (leaseTtl.compareTo(SHORTEST_TTL) < 0 || leaseTtl.compareTo(LONGEST_TTL) > 0) {
            throw new HeadmastException.Invalid(
                    "leaseTtl",
                    "must lie between " + DurationText.format(SHORTEST_TTL) + " and "
                            + DurationText.format(LONGEST_TTL));
        }
        if (capacity.isPresent() && capacity.getAsLong() < 1) {
            throw new HeadmastException.Invalid("capacity", "must be at least 1; leave it out for no limit");
        }
        prefix = new Keys(prefix).prefix();
        workerId.ifPresent(id -> Names.require("workerId", id));
        domains.forEach(domain -> Names.require("domains", domain));
        etcdEndpoints = List.copyOf(etcdEndpoints);
        domains = Collections.unmodifiableSortedSet(new TreeSet<>(domains));
        metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
    }

    /** A builder with a TTL of 10 s, no capacity limit, and etcd on this machine. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds contexts; not thread-safe. */
    public static final class Builder {
        private List<String> etcdEndpoints = List.of("http://127.0.0.1:2379");
        private String prefix = Keys.DEFAULT_PREFIX;
        private Optional<String> workerId = Optional.empty();
        private Optional<Path> dataDir = Optional.empty();
        private Duration leaseTtl = Duration.ofSeconds(10);
        private OptionalLong capacity = OptionalLong.empty();
        private Set<String> domains = Set.of();
        private Map<String, String> metadata = Map.of();
        private String publicIp = "";
        private Limits limits = Limits.DEFAULT;

        private Builder() {}

        public Builder etcdEndpoints(List<String> value) {
            etcdEndpoints = value;
            return this;
        }

        public Builder etcdEndpoints(String... value) {
            return etcdEndpoints(List.of(value));
        }

        public Builder prefix(String value) {
            prefix = value;
            return this;
        }

        public Builder workerId(String value) {
            workerId = Optional.of(value);
            return this;
        }

        public Builder dataDir(Path value) {
            dataDir = Optional.of(value);
            return this;
        }

        public Builder leaseTtl(Duration value) {
            leaseTtl = value;
            return this;
        }

        public Builder capacity(long value) {
            capacity = OptionalLong.of(value);
            return this;
        }

        public Builder domains(Set<String> value) {
            domains = value;
            return this;
        }

        public Builder metadata(Map<String, String> value) {
            metadata = value;
            return this;
        }

        public Builder publicIp(String value) {
            publicIp = value;
            return this;
        }

        public Builder limits(Limits value) {
            limits = value;
            return this;
        }

        /** @throws HeadmastException.Invalid naming what is at fault */
        public WorkerContext build() {
            return new WorkerContext(
                    etcdEndpoints, prefix, workerId, dataDir, leaseTtl, capacity, domains, metadata, publicIp, limits);
        }
    }
}
