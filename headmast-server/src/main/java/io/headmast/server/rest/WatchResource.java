// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobPath;
import io.headmast.core.manager.JobFeed;
import io.headmast.server.http.Request;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;

/** {@code /api/v1/watch/jobs}: the changes of jobs as server-sent events. */
final class WatchResource {
    private static final String WATCH = RestApi.BASE + "/watch/jobs";
    private static final String CONTENT_TYPE = "text/event-stream; charset=utf-8";

    /** Browsers resend in it the id of the last event that they have seen. */
    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final Pattern REVISION = Pattern.compile("\\d{1,19}");

    private final JobFeed feed;

    WatchResource(JobFeed feed) {
        this.feed = feed;
    }

    List<Route> routes() {
        return List.of(
                route("", request -> JobPath.ALL),
                route("/{id}", request -> JobPath.job(request.name("id"))),
                route("/domain/{domain}", request -> JobPath.domain(request.name("domain"))));
    }

    private Route route(String below, Function<Request, JobPath> path) {
        return Route.of("GET", WATCH + below, request -> watch(path.apply(request), request))
                .withQuery("revision", "payload");
    }

    private CompletableFuture<Response> watch(JobPath path, Request request) {
        OptionalLong after = after(request);
        boolean payloads = payloads(request);
        return feed.watch(path, after)
                .thenApply(watch -> Response.stream(CONTENT_TYPE, new JobEvents(watch, after, payloads))
                        // Proxies in between would keep the events back otherwise.
                        .header("X-Accel-Buffering", "no"));
    }

    /** The header goes before the parameter, which stays what it was when a browser connects again. */
    private static OptionalLong after(Request request) {
        Optional<String> asked = request.query().get("revision");
        asked.ifPresent(WatchResource::revision);
        return request.header(LAST_EVENT_ID)
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .or(() -> asked)
                .map(text -> OptionalLong.of(revision(text)))
                .orElse(OptionalLong.empty());
    }

    private static long revision(String text) {
        try {
            if (REVISION.matcher(text).matches()) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException e) {
            throw malformed();
        }
        throw malformed();
    }

    private static HeadmastException.Invalid malformed() {
        return new HeadmastException.Invalid(
                "revision", "must be a revision such as 4711, in the query or in the header " + LAST_EVENT_ID);
    }

    private static boolean payloads(Request request) {
        return switch (request.query().get("payload").orElse("true")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new HeadmastException.Invalid("payload", "must be true or false");
        };
    }
}
