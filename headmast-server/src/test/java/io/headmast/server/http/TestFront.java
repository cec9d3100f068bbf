// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.headmast.api.HeadmastException;
import io.headmast.core.testing.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A front on a free port with a few endpoints of each kind, and a client of it. */
final class TestFront implements AutoCloseable {
    static final HttpLimits LIMITS = HttpLimits.forPayloads(512 * 1024);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Completes the answers of {@code /hang}. */
    final CompletableFuture<Response> hanging = new CompletableFuture<>();

    /** How often an endpoint was reached. */
    final AtomicInteger reached = new AtomicInteger();

    /** The streams of {@code /stream} and {@code /flood}, in the order in which they were asked for. */
    final List<TestStream> streams = new CopyOnWriteArrayList<>();

    final HttpFront front;
    private final HttpClient client = HttpClient.newHttpClient();

    TestFront(HttpLimits limits) {
        Router router = new Router(List.of(
                Route.of("GET", "/vital", request -> ok(new JsonObject())).asVital(),
                Route.of("GET", "/hang", request -> hanging),
                Route.of("POST", "/hang", request -> hanging),
                Route.of("GET", "/broken", request -> {
                    throw new IllegalStateException("secret");
                }),
                Route.of("GET", "/large", request -> ok(new JsonPrimitive("x".repeat(32 * 1024 * 1024)))),
                Route.of("GET", "/stream", request -> stream(false)),
                Route.of("GET", "/flood", request -> stream(true)),
                Route.of("GET", "/broken-stream", request -> CompletableFuture.completedFuture(brokenStream())),
                Route.of("POST", "/size", request -> ok(request.json())),
                Route.of("POST", "/things/{id}/{action}", request -> ok(new JsonPrimitive(request.name("action")))),
                Route.of("GET", "/things/{id}/logs", request -> ok(new JsonPrimitive("logs"))),
                Route.of("POST", "/things:batch", request -> ok(new JsonPrimitive("batch")))));
        try {
            front = HttpFront.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .start(router, limits);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void until(String what, BooleanSupplier condition) {
        Await.until(what, PATIENCE, condition);
    }

    private CompletableFuture<Response> ok(JsonElement value) {
        reached.incrementAndGet();
        return CompletableFuture.completedFuture(Response.json(200, value));
    }

    private CompletableFuture<Response> stream(boolean flooding) {
        TestStream stream = new TestStream(flooding);
        streams.add(stream);
        return CompletableFuture.completedFuture(Response.stream("text/plain", stream));
    }

    private static Response brokenStream() {
        return Response.stream("text/plain", new StreamBody() {
            @Override
            public void writeTo(OutputStream out) throws IOException {
                out.write("partial".getBytes(StandardCharsets.UTF_8));
                out.flush();
                throw new IllegalStateException("broken");
            }

            @Override
            public void close() {}
        });
    }

    RawClient raw() throws IOException {
        return new RawClient(front.address());
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, "");
    }

    HttpResponse<String> send(String method, String path, String body) {
        return send(request(method, path, body).build());
    }

    HttpResponse<String> send(HttpRequest request) {
        return Await.value(client.sendAsync(request, BodyHandlers.ofString()), PATIENCE);
    }

    CompletableFuture<HttpResponse<String>> sendAsync(String method, String path) {
        return client.sendAsync(request(method, path, "").build(), BodyHandlers.ofString());
    }

    HttpRequest.Builder request(String method, String path, String body) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + front.address().getPort() + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    /** Lets what hangs go. */
    void release() {
        hanging.completeExceptionally(new HeadmastException.NotFound("released"));
    }

    @Override
    public void close() {
        release();
        front.close();
    }
}
