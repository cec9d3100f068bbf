// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a client reaches its servers. Immutable; the seed's {@code ServerAddr} has become a list.
 *
 * @param servers any servers of one cluster; the client fails over from one to the next. A path is allowed, for a proxy
 *     that puts the cluster below one
 * @param token sent as a bearer token with every request
 * @param sslContext for {@code https} servers whose certificates the JVM doesn't trust by itself
 * @param connectTimeout how long a connection may take to be established
 * @param requestTimeout how long one attempt of a call may take in all, up to the last byte of its answer
 * @param retries how calls are repeated that may be repeated without harm
 */
public record ClientOptions(
        List<URI> servers,
        Optional<String> token,
        Optional<SSLContext> sslContext,
        Duration connectTimeout,
        Duration requestTimeout,
        Retries retries) {
    /** The environment variable that {@link #fromEnvironment()} takes the servers from, separated by commas. */
    public static final String SERVER_VARIABLE = "HEADMAST_SERVER";

    /** The environment variable that {@link #fromEnvironment()} takes the token from. */
    public static final String TOKEN_VARIABLE = "HEADMAST_TOKEN";

    /** A server on this machine at its default port. */
    public static final URI DEFAULT_SERVER = URI.create("http://127.0.0.1:4430");

    private static final Duration MAX_TIMEOUT = Duration.ofHours(1);

    /** @throws HeadmastException.Invalid naming the option that is at fault */
    public ClientOptions {
        if (servers.isEmpty()) {
            throw new HeadmastException.Invalid("servers", "must name at least one server");
        }
        servers = servers.stream().map(ClientOptions::checked).distinct().toList();
        if (token.isPresent() && !token.get().matches("[\\x21-\\x7e]+")) {
            throw new HeadmastException.Invalid("token", "must be printable ASCII without spaces");
        }
        requireTimeout("connectTimeout", connectTimeout);
        requireTimeout("requestTimeout", requestTimeout);
    }

    /** A builder with the defaults: one server on this machine, no token, 2 s to connect, 15 s for an attempt. */
    public static Builder builder() {
        return new Builder();
    }

    /** The defaults with these servers, each written as {@code http://host:port} or {@code host:port}. */
    public static ClientOptions of(String... servers) {
        return builder().servers(servers).build();
    }

    /**
     * The defaults with what the environment says: {@value #SERVER_VARIABLE} and {@value #TOKEN_VARIABLE}.
     *
     * @throws HeadmastException.Invalid naming the option that is at fault
     */
    public static ClientOptions fromEnvironment() {
        return fromEnvironment(System.getenv());
    }

    static ClientOptions fromEnvironment(Map<String, String> environment) {
        Builder options = builder();
        Optional.ofNullable(environment.get(SERVER_VARIABLE))
                .filter(text -> !text.isBlank())
                .ifPresent(text -> options.servers(text.split(",")));
        Optional.ofNullable(environment.get(TOKEN_VARIABLE))
                .filter(text -> !text.isBlank())
                .ifPresent(options::token);
        return options.build();
    }

    /** Without the token, since options get logged. */
    @Override
    public String toString() {
        return "ClientOptions[servers=" + servers + ", token=" + (token.isPresent() ? "set" : "none") + ", tls="
                + (sslContext.isPresent() ? "own" : "default") + ", connectTimeout=" + connectTimeout
                + ", requestTimeout=" + requestTimeout + ", retries=" + retries + "]";
    }

    private static URI checked(URI server) {
        String scheme = server.getScheme();
        boolean web = "http".equals(scheme) || "https".equals(scheme);
        boolean plain = server.getRawQuery() == null && server.getRawFragment() == null && server.getUserInfo() == null;
        if (!web || server.getHost() == null || !plain) {
            throw new HeadmastException.Invalid(
                    "servers", "must look like http://host:4430 or https://host/path, and not like " + server);
        }
        String text = server.toString();
        return URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    }

    private static void requireTimeout(String name, Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new HeadmastException.Invalid(name, "must lie between 1ms and 1h");
        }
    }

    /** Builds options; not thread-safe. */
    public static final class Builder {
        private List<URI> servers = List.of(DEFAULT_SERVER);
        private Optional<String> token = Optional.empty();
        private Optional<SSLContext> sslContext = Optional.empty();
        private Duration connectTimeout = Duration.ofSeconds(2);
        private Duration requestTimeout = Duration.ofSeconds(15);
        private Retries retries = Retries.DEFAULT;

        private Builder() {}

        public Builder servers(List<URI> value) {
            servers = value;
            return this;
        }

        /**
         * Each as {@code http://host:port}, or {@code host:port} for the same.
         *
         * @throws HeadmastException.Invalid if one of them is no such address
         */
        public Builder servers(String... addresses) {
            List<URI> parsed = new ArrayList<>();
            Arrays.stream(addresses).map(String::strip).forEach(address -> parsed.add(parse(address)));
            return servers(parsed);
        }

        public Builder token(String value) {
            token = Optional.of(value);
            return this;
        }

        public Builder sslContext(SSLContext value) {
            sslContext = Optional.of(value);
            return this;
        }

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder requestTimeout(Duration value) {
            requestTimeout = value;
            return this;
        }

        public Builder retries(Retries value) {
            retries = value;
            return this;
        }

        /** @throws HeadmastException.Invalid naming the option that is at fault */
        public ClientOptions build() {
            return new ClientOptions(servers, token, sslContext, connectTimeout, requestTimeout, retries);
        }

        private static URI parse(String address) {
            try {
                return new URI(address.contains("://") ? address : "http://" + address);
            } catch (URISyntaxException e) {
                throw new HeadmastException.Invalid("servers", "must look like http://host:4430: " + e.getMessage());
            }
        }
    }
}
