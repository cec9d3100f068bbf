// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An HTTP server that answers by a script, one reply after the other, and keeps what it was asked. */
final class ScriptedServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "scripted-server");
        thread.setDaemon(true);
        return thread;
    });
    private final Deque<Reply> script = new ArrayDeque<>();
    private final List<Asked> asked = new ArrayList<>();
    private final BlockingQueue<Asked> arrivals = new LinkedBlockingQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** What was asked: enough of it to compare. */
    record Asked(String line, String body, Optional<String> authorization, Optional<String> ifMatch) {}

    /** One answer, or the lack of one. */
    interface Reply {
        void to(HttpExchange exchange, CountDownLatch closed) throws IOException, InterruptedException;
    }

    static ScriptedServer answering(Reply... replies) {
        try {
            ScriptedServer scripted = new ScriptedServer();
            scripted.then(replies);
            return scripted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Reply json(int status, String body) {
        return text(status, "application/json", body);
    }

    static Reply html(int status) {
        return text(status, "text/html", "<html>\n<body>Welcome to the proxy</body></html>");
    }

    static Reply problem(int status, String type) {
        return text(
                status,
                "application/problem+json",
                "{\"type\":\"urn:headmast:" + type + "\",\"title\":\"T\",\"status\":" + status
                        + ",\"detail\":\"the detail\",\"field\":\"the.field\"}");
    }

    static Reply text(int status, String type, String body) {
        return (exchange, closed) -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length == 0 || status == 204 ? -1 : bytes.length);
            if (bytes.length > 0 && status != 204) {
                exchange.getResponseBody().write(bytes);
            }
            exchange.close();
        };
    }

    static Reply with(String header, String value, Reply reply) {
        return (exchange, closed) -> {
            exchange.getResponseHeaders().add(header, value);
            reply.to(exchange, closed);
        };
    }

    /** Takes the request and never answers. */
    static Reply silence() {
        return (exchange, closed) -> closed.await();
    }

    /** Begins an answer and never ends it. */
    static Reply half() {
        return (exchange, closed) -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            closed.await();
        };
    }

    /** Takes the request and breaks the connection. */
    static Reply hangUp() {
        return (exchange, closed) -> exchange.close();
    }

    /** An address where nobody listens. */
    static String deadAddress() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void then(Reply... replies) {
        synchronized (script) {
            script.addAll(Arrays.asList(replies));
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int requests() {
        synchronized (script) {
            return asked.size();
        }
    }

    List<Asked> asked() {
        synchronized (script) {
            return List.copyOf(asked);
        }
    }

    Asked last() {
        List<Asked> all = asked();
        return all.get(all.size() - 1);
    }

    /** Waits until another request has arrived. */
    void awaitRequest() throws InterruptedException {
        if (arrivals.poll(30, TimeUnit.SECONDS) == null) {
            throw new AssertionError("no request came");
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Asked request = new Asked(
                exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization")),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("If-Match")));
        Reply reply;
        synchronized (script) {
            asked.add(request);
            reply = script.isEmpty() ? text(418, "text/plain", "the script has ended") : script.poll();
        }
        arrivals.add(request);
        try {
            reply.to(exchange, closed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
