// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One method on the paths of one shape. Immutable.
 *
 * @param method the HTTP method; {@code GET} answers {@code HEAD} too
 * @param path the shape: segments separated by {@code /}, each a literal or a {@code {name}}
 * @param query the query parameters it knows
 * @param extraTime how much longer than usual work on it may take
 * @param body what it takes as a request's body
 * @param vital served even when the server is full; it must be cheap and wait for nothing
 */
public record Route(
        String method,
        PathTemplate path,
        Set<String> query,
        Duration extraTime,
        BodyForm body,
        boolean vital,
        Endpoint endpoint) {
    public Route {
        query = Collections.unmodifiableSet(new LinkedHashSet<>(query));
    }

    public static Route of(String method, String path, Endpoint endpoint) {
        return new Route(method, PathTemplate.of(path), Set.of(), Duration.ZERO, BodyForm.JSON, false, endpoint);
    }

    public Route withQuery(String... names) {
        return new Route(method, path, new LinkedHashSet<>(List.of(names)), extraTime, body, vital, endpoint);
    }

    public Route withExtraTime(Duration value) {
        return new Route(method, path, query, value, body, vital, endpoint);
    }

    public Route withBody(BodyForm value) {
        return new Route(method, path, query, extraTime, value, vital, endpoint);
    }

    public Route asVital() {
        return new Route(method, path, query, extraTime, body, true, endpoint);
    }

    /** Whether it may change something, so that a lost answer leaves the outcome unknown. */
    boolean isWrite() {
        return !method.equals("GET");
    }
}
