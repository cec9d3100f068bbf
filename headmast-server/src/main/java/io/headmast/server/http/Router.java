// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the route of a request. Where several shapes match a path, the one with more literal segments wins, whatever
 * the order of the list: {@code /jobs/{id}/logs} goes before {@code /jobs/{id}/{action}}.
 */
public final class Router {
    private final List<Route> routes;

    /** Where one can begin to look, for those who got lost. */
    private final String starts;

    public Router(List<Route> routes) {
        Comparator<Route> byLiterals =
                Comparator.comparingLong(route -> route.path().literals());
        this.routes = routes.stream().sorted(byLiterals.reversed()).toList();
        this.starts = routes.stream()
                .filter(route -> !route.isWrite() && route.path().isPlain())
                .map(route -> route.path().toString())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** What a method and a path lead to. */
    sealed interface Match {
        record Found(Route route, Map<String, String> names) implements Match {}

        /** The path exists, the method doesn't; {@code allow} lists those that do. */
        record OtherMethods(String allow) implements Match {}
    }

    /**
     * Looks a request up.
     *
     * @param rawPath as it was sent, still percent-encoded
     * @throws HeadmastException.NotFound if there is no such path
     * @throws HeadmastException.Invalid if a name in the path is not valid, whatever the method
     */
    Match match(String method, String rawPath) {
        List<String> segments = PathTemplate.split(rawPath);
        List<Route> matching =
                routes.stream().filter(route -> route.path().matches(segments)).toList();
        if (matching.isEmpty()) {
            throw new HeadmastException.NotFound("there is nothing at this path; there are: " + starts);
        }
        String wanted = method.equals("HEAD") ? "GET" : method;
        Optional<Route> route =
                matching.stream().filter(one -> one.method().equals(wanted)).findFirst();
        PathTemplate path = route.orElse(matching.get(0)).path();
        Map<String, String> names = path.names(segments);
        return route.<Match>map(found -> new Match.Found(found, names))
                .orElseGet(() -> new Match.OtherMethods(allow(matching)));
    }

    private static String allow(List<Route> matching) {
        TreeSet<String> methods = new TreeSet<>();
        methods.add("OPTIONS");
        matching.forEach(route -> methods.add(route.method()));
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return String.join(", ", methods);
    }
}
