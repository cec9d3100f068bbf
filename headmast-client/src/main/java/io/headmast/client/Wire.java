// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends one request to one server and gives its answer, within the time for one attempt. Thread-safe.
 *
 * <p>The JDK's client sends a GET once more by itself when its connection breaks before the answer begins. It would do so
 * for changes too under {@code -Djdk.httpclient.enableAllMethodRetry}, which no program that makes changes should set.
 *
 * <p>Its threads are few, since they only move bytes and parse, and daemons. Closing ends them; the JDK's client of Java
 * 17 has no close of its own: its selector, a daemon too, ends when nothing refers to it any more, and idle connections
 * with it.
 */
final class Wire implements AutoCloseable {
    /** The most bytes of an answer. */
    static final int MAX_ANSWER = 64 * 1024 * 1024;

    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final ClientOptions options;
    private final int maxAnswer;
    private final ThreadPoolExecutor threads;
    private final HttpClient http;

    Wire(ClientOptions options, int maxAnswer) {
        this.options = options;
        this.maxAnswer = maxAnswer;
        this.threads = threads();
        HttpClient.Builder client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(options.connectTimeout())
                .executor(threads);
        options.sslContext().ifPresent(client::sslContext);
        this.http = client.build();
    }

    /** The answer, whatever its status; cancelling it gives the connection up. */
    CompletableFuture<Answer> exchange(URI server, Request request) {
        CompletableFuture<HttpResponse<Received>> sent =
                http.sendAsync(http(server, request), response -> body(server, request, response));
        // The timeout of java.net.http ends with the headers; this one covers the body too, unless it is a stream.
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Continuations.onSettled(sent, (response, failure) -> {
            if (failure == null && !answer.complete(new Answer(server, response))) {
                response.body().discard();
            } else if (failure != null) {
                answer.completeExceptionally(unwrapped(failure));
            }
        });
        Continuations.onSettled(answer, (response, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
        });
        return answer.orTimeout(options.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends its threads once what they are at is done. */
    @Override
    public void close() {
        threads.shutdown();
    }

    private BodySubscriber<Received> body(URI server, Request request, HttpResponse.ResponseInfo response) {
        boolean events = response.statusCode() == 200
                && response.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.startsWith(Request.EVENTS))
                        .isPresent();
        return events && request.accept().equals(Request.EVENTS)
                ? new EventStream(server)
                : BodySubscribers.mapping(new BoundedBody(maxAnswer), Received::of);
    }

    private HttpRequest http(URI server, Request request) {
        HttpRequest.Builder http = HttpRequest.newBuilder(URI.create(server + request.target()))
                .header("Accept", request.accept())
                .header("User-Agent", "headmast-client");
        options.token().ifPresent(token -> http.header("Authorization", "Bearer " + token));
        request.ifMatch().ifPresent(revision -> http.header("If-Match", '"' + Long.toString(revision) + '"'));
        request.body().ifPresent(body -> http.header("Content-Type", "application/json"));
        return http.method(
                        request.method(),
                        request.body()
                                .map(body -> BodyPublishers.ofByteArray(body.toByteArray()))
                                .orElseGet(BodyPublishers::noBody))
                .build();
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static ThreadPoolExecutor threads() {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "headmast-client-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
