// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.headmast.api.HeadmastException;
import io.headmast.api.Problem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to a request: it is routed, read, let in, worked on within its time, and answered. Every failure that
 * is not the connection's, and comes before the answer has begun, becomes a problem report, here and nowhere else.
 * Thread-safe.
 */
final class RequestHandler implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    /** How long a stream may take for its last words when the server stops. */
    private static final Duration STREAM_END_LIMIT = Duration.ofSeconds(1);

    private final Router router;
    private final HttpLimits limits;
    private final Gate gate;
    private final BodyReader bodies;
    private final ResponseWriter writer;
    private final ScheduledThreadPoolExecutor watchdog;
    private final Streams streams;
    private final InFlight inFlight = new InFlight();
    private volatile boolean closing;

    RequestHandler(Router router, HttpLimits limits) {
        this.router = router;
        this.limits = limits;
        this.gate = new Gate(limits);
        this.bodies = new BodyReader(limits);
        this.watchdog = watchdog();
        this.writer = new ResponseWriter(limits.writeTime(), watchdog);
        this.streams = new Streams(limits, watchdog);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Optional<OpenStream> stream;
        inFlight.begin();
        try {
            stream = answerOrAdmit(exchange);
        } finally {
            inFlight.end();
        }
        if (stream.isPresent()) {
            stream.get().run(exchange);
        }
    }

    /** Sends the answer, unless it is a stream, which has its place then and is to be run. */
    private Optional<OpenStream> answerOrAdmit(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        Response response = answer(exchange);
        Optional<OpenStream> stream = Optional.empty();
        if (exchange.getRequestMethod().equals("HEAD")) {
            response.discard();
        } else if (response.stream().isPresent()) {
            try {
                stream = Optional.of(streams.admit(
                        exchange.getRequestURI().getRawPath(),
                        response,
                        response.stream().get()));
            } catch (HeadmastException.Unavailable e) {
                response = Response.problem(Problem.of(e));
            }
        }
        LOG.debug(
                "request method={} path={} status={} micros={}",
                exchange.getRequestMethod(),
                LogText.quoted(exchange.getRequestURI().getRawPath()),
                response.status(),
                TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
        if (stream.isEmpty()) {
            writer.write(exchange, response);
        }
        return stream;
    }

    /**
     * From now on every request is answered with 503; ends the streams, and waits for the requests that are under way, but
     * not longer than {@code limit}.
     *
     * @return whether none of these is left
     */
    boolean finish(Duration limit) throws InterruptedException {
        closing = true;
        streams.end(STREAM_END_LIMIT);
        return inFlight.awaitNone(limit);
    }

    int underWay() {
        return inFlight.count();
    }

    int openStreams() {
        return streams.count();
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }

    private Response answer(HttpExchange exchange) throws IOException {
        try {
            if (closing) {
                throw new HeadmastException.Unavailable("this server is stopping; try another, or again");
            }
            return route(exchange);
        } catch (HeadmastException.TooLarge e) {
            // Its body may still be coming.
            return Response.problem(Problem.of(e)).header("Connection", "close");
        } catch (HeadmastException e) {
            return Response.problem(Problem.of(e));
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "request failed method={} path={}",
                    exchange.getRequestMethod(),
                    LogText.quoted(exchange.getRequestURI().getRawPath()),
                    e);
            return Response.problem(
                    Problem.of(new HeadmastException.Internal("unexpected failure; the server's log says more")));
        }
    }

    private Response route(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        Router.Match match = router.match(method, exchange.getRequestURI().getRawPath());
        if (match instanceof Router.Match.Found found) {
            return serve(exchange, found.route(), found.names());
        }
        String allow = ((Router.Match.OtherMethods) match).allow();
        Response response =
                method.equals("OPTIONS") ? Response.noContent() : Response.problem(methodNotAllowed(method, allow));
        return response.header("Allow", allow);
    }

    private Response serve(HttpExchange exchange, Route route, Map<String, String> names) throws IOException {
        QueryParameters query = QueryParameters.parse(exchange.getRequestURI().getRawQuery(), route.query());
        Headers headers = exchange.getRequestHeaders();
        try (BodyReader.Body body = bodies.read(exchange, route.body())) {
            byte[] bytes = body.bytes();
            String type = mediaType(headers);
            if (bytes.length > 0 && !route.body().types().contains(type)) {
                return Response.problem(unsupportedMediaType(route.body().types(), type));
            }
            return admit(route, new Request(names, query, headers, type, bytes));
        }
    }

    private Response admit(Route route, Request request) {
        if (route.vital()) {
            return work(route, request);
        }
        gate.enter();
        try {
            return work(route, request);
        } finally {
            gate.leave();
        }
    }

    private Response work(Route route, Request request) {
        Duration limit = limits.requestTime().plus(route.extraTime());
        CompletionStage<Response> stage = route.endpoint().answer(request);
        try {
            return stage.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            discardLate(stage);
            throw late(route, "no answer from the store within " + limit.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            discardLate(stage);
            throw late(route, "this server stopped before the store answered");
        }
    }

    private static void discardLate(CompletionStage<Response> stage) {
        var unused = stage.thenAccept(Response::discard);
    }

    /** A read can simply be repeated; of a write nobody knows whether it was applied. */
    private static HeadmastException late(Route route, String why) {
        return route.isWrite()
                ? new HeadmastException.Indeterminate(
                        why + ": it may or may not have been done; look before you repeat it")
                : new HeadmastException.Unavailable(why + "; try again");
    }

    /** A page from elsewhere can make a browser send forms and plain text here, but not the types that are taken. */
    private static String mediaType(Headers headers) {
        String type = headers.getFirst("Content-Type");
        return type == null ? "absent" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private static Problem methodNotAllowed(String method, String allow) {
        return new Problem(
                "method-not-allowed", 405, method + " is not possible here; these are: " + allow, Optional.empty());
    }

    private static Problem unsupportedMediaType(List<String> taken, String given) {
        return new Problem(
                "unsupported-media-type",
                415,
                "Content-Type must be " + String.join(" or ", taken) + ", not " + given,
                Optional.of("Content-Type"));
    }

    private static ScheduledThreadPoolExecutor watchdog() {
        ScheduledThreadPoolExecutor watchdog = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "http-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        watchdog.setRemoveOnCancelPolicy(true);
        return watchdog;
    }
}
