// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Names;
import io.headmast.api.json.DurationText;
import io.headmast.core.policy.Policies;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How a server is set up. Immutable; every instance is valid. The seed's {@code ServingOptions}.
 *
 * @param etcdEndpoints where etcd is reached, as {@code http://host:port}; the scheme may be left out
 * @param host the address to listen on; by default this machine alone can reach it
 * @param port the port to listen on; 0 for any that is free
 * @param schedulePolicy how a worker is chosen while this server leads: {@code roundbin} (also {@code round-robin}),
 *     {@code balance}, or a policy on the class path that {@link java.util.ServiceLoader} finds
 * @param rebalanceRate how many running jobs a second move to a worker with room while this server leads, if the policy
 *     rebalances; 0 for none, at most 1,000
 * @param serverId unique among the servers; by default the host's name and a random part
 * @param leaseTtl how long this server is believed to be alive without a sign of life, 2 s to 1 h
 * @param prefix what every key in etcd begins with
 * @param payloadLimit the most bytes of a job's payload, at most 1 MiB
 */
public record ServingOptions(
        List<URI> etcdEndpoints,
        String host,
        int port,
        String schedulePolicy,
        int rebalanceRate,
        String serverId,
        Duration leaseTtl,
        String prefix,
        int payloadLimit) {
    public static final int DEFAULT_PORT = 4430;
    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final String DEFAULT_ENDPOINT = "http://127.0.0.1:2379";
    public static final String DEFAULT_POLICY = "roundbin";
    public static final int DEFAULT_REBALANCE_RATE = Scheduling.DEFAULT_REBALANCE_RATE;
    public static final Duration DEFAULT_LEASE_TTL = Duration.ofSeconds(10);
    public static final int DEFAULT_PAYLOAD_LIMIT = 512 * 1024;

    /** What fits into one of etcd's requests (1.5 MiB) as base64, beside the rest of the record. */
    public static final int MAX_PAYLOAD_LIMIT = 1024 * 1024;

    private static final Duration MIN_TTL = Duration.ofSeconds(2);
    private static final Duration MAX_TTL = Duration.ofHours(1);
    private static final int MAX_PORT = 65_535;

    /** @throws HeadmastException.Invalid naming the option that is at fault */
    public ServingOptions {
        if (etcdEndpoints.isEmpty()) {
            throw new HeadmastException.Invalid("etcdEndpoints", "must name at least one address");
        }
        etcdEndpoints = etcdEndpoints.stream().map(ServingOptions::endpoint).toList();
        if (host.isBlank()) {
            throw new HeadmastException.Invalid("host", "must be a host name or an IP address");
        }
        requireWithin("port", port, MAX_PORT);
        String policy = schedulePolicy;
        schedulePolicy = Policies.builtIn(policy)
                .map(SchedulePolicy::name)
                .orElseGet(() -> PolicyCatalog.onClassPath().named(policy).name());
        requireWithin("rebalanceRate", rebalanceRate, Scheduling.MAX_REBALANCE_RATE);
        Names.require("serverId", serverId);
        if (leaseTtl.compareTo(MIN_TTL) < 0 || leaseTtl.compareTo(MAX_TTL) > 0) {
            throw new HeadmastException.Invalid(
                    "leaseTtl",
                    "must lie between " + DurationText.format(MIN_TTL) + " and " + DurationText.format(MAX_TTL));
        }
        prefix = new Keys(prefix).prefix();
        requireWithin("payloadLimit", payloadLimit, MAX_PAYLOAD_LIMIT);
    }

    /** A builder with the defaults: this machine's etcd, port 4430, for this machine alone. */
    public static Builder builder() {
        return new Builder();
    }

    private static void requireWithin(String name, int value, int max) {
        if (value < 0 || value > max) {
            throw new HeadmastException.Invalid(name, "must lie between 0 and " + max);
        }
    }

    /** A text such as {@code host:2379} parses as a URI with the scheme {@code host}; it means http. */
    private static URI endpoint(URI given) {
        URI uri = given;
        try {
            uri = given.toString().contains("://") ? given : URI.create("http://" + given);
        } catch (IllegalArgumentException e) {
            throw malformedEndpoint(given.toString());
        }
        boolean scheme = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        boolean rest = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
        if (!scheme || !rest || uri.getHost() == null || uri.getPort() < 0 || uri.getRawUserInfo() != null) {
            throw malformedEndpoint(given.toString());
        }
        return URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
    }

    private static HeadmastException.Invalid malformedEndpoint(String given) {
        return new HeadmastException.Invalid(
                "etcdEndpoints", "must hold addresses such as http://127.0.0.1:2379, not '" + given + "'");
    }

    /** Builds options; not thread-safe. Nothing is checked before {@link #build()}. */
    public static final class Builder {
        private List<String> etcdEndpoints = List.of(DEFAULT_ENDPOINT);
        private String host = DEFAULT_HOST;
        private int port = DEFAULT_PORT;
        private String schedulePolicy = DEFAULT_POLICY;
        private int rebalanceRate = DEFAULT_REBALANCE_RATE;
        private String serverId = "";
        private Duration leaseTtl = DEFAULT_LEASE_TTL;
        private String prefix = Keys.DEFAULT_PREFIX;
        private int payloadLimit = DEFAULT_PAYLOAD_LIMIT;

        private Builder() {}

        public Builder etcdEndpoints(String... values) {
            return etcdEndpoints(List.of(values));
        }

        public Builder etcdEndpoints(List<String> values) {
            etcdEndpoints = List.copyOf(values);
            return this;
        }

        public Builder host(String value) {
            host = value;
            return this;
        }

        public Builder port(int value) {
            port = value;
            return this;
        }

        public Builder schedulePolicy(String value) {
            schedulePolicy = value;
            return this;
        }

        public Builder rebalanceRate(int value) {
            rebalanceRate = value;
            return this;
        }

        public Builder serverId(String value) {
            serverId = value;
            return this;
        }

        public Builder leaseTtl(Duration value) {
            leaseTtl = value;
            return this;
        }

        public Builder prefix(String value) {
            prefix = value;
            return this;
        }

        public Builder payloadLimit(int value) {
            payloadLimit = value;
            return this;
        }

        /** @throws HeadmastException.Invalid naming the option that is at fault */
        public ServingOptions build() {
            return new ServingOptions(
                    etcdEndpoints.stream().map(Builder::uri).toList(),
                    host,
                    port,
                    schedulePolicy,
                    rebalanceRate,
                    serverId.isEmpty() ? ServerIds.random() : serverId,
                    leaseTtl,
                    prefix,
                    payloadLimit);
        }

        private static URI uri(String text) {
            try {
                return URI.create(text.contains("://") ? text : "http://" + text);
            } catch (IllegalArgumentException e) {
                throw malformedEndpoint(text);
            }
        }
    }
}
