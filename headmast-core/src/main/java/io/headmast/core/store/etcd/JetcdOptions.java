// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.headmast.api.HeadmastException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints the members' client addresses, at least one; the first that answers is used
 * @param callTimeout how long a call may take, with all its attempts at other members
 * @param maxInboundBytes the largest answer that is taken. It bounds what one batch of a watch may hold, so it must
 *     exceed what the end of a lease tells of all its keys.
 */
public record JetcdOptions(List<URI> endpoints, Duration callTimeout, int maxInboundBytes) {
    /**
     * Long enough for a slow disk or an election of etcd's leader (about 1 s), short enough that a worker finds another
     * member several times within the TTL of its lease.
     */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(3);

    /** Sixteen times gRPC's default, which the end of a lease with 20,000 keys exceeds. */
    public static final int DEFAULT_MAX_INBOUND_BYTES = 64 << 20;

    public JetcdOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new HeadmastException.Invalid("etcd-endpoints", "must name at least one endpoint");
        }
        if (callTimeout.isNegative() || callTimeout.isZero()) {
            throw new HeadmastException.Invalid("etcd-timeout", "must be positive");
        }
    }

    /** The defaults with these endpoints, each {@code http://host:port} or {@code host:port}. */
    public static JetcdOptions of(List<String> endpoints) {
        List<URI> uris = endpoints.stream().map(JetcdOptions::endpoint).toList();
        return new JetcdOptions(uris, DEFAULT_CALL_TIMEOUT, DEFAULT_MAX_INBOUND_BYTES);
    }

    /** The defaults with one endpoint. */
    public static JetcdOptions of(String endpoint) {
        return of(List.of(endpoint));
    }

    public JetcdOptions withCallTimeout(Duration timeout) {
        return new JetcdOptions(endpoints, timeout, maxInboundBytes);
    }

    private static URI endpoint(String text) {
        try {
            var uri = new URI(text.contains("://") ? text : "http://" + text);
            if (uri.getHost() == null || uri.getPort() < 0) {
                throw new HeadmastException.Invalid("etcd-endpoints", "must be host:port, not \"" + text + "\"");
            }
            if (!"http".equals(uri.getScheme())) {
                throw new HeadmastException.Invalid(
                        "etcd-endpoints", "\"" + text + "\": only http is supported, not " + uri.getScheme());
            }
            return uri;
        } catch (URISyntaxException e) {
            throw new HeadmastException.Invalid("etcd-endpoints", "\"" + text + "\": " + e.getReason());
        }
    }
}
