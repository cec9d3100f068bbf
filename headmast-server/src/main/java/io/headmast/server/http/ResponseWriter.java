// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Sends answers; a client that doesn't read its answer in time loses its connection. */
final class ResponseWriter implements AutoCloseable {
    private static final int NO_BODY = -1;

    private final Duration writeTime;
    private final ScheduledThreadPoolExecutor watchdog;

    ResponseWriter(Duration writeTime) {
        this.writeTime = writeTime;
        this.watchdog = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "http-watchdog");
            thread.setDaemon(true);
            return thread;
        });
        watchdog.setRemoveOnCancelPolicy(true);
    }

    /**
     * Sends the answer and ends the exchange.
     *
     * @throws IOException if the client is gone or was cut off; the caller passes it on to the JDK's server, which
     *     forgets the connection only then
     */
    void write(HttpExchange exchange, Response response) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        response.headers().forEach(headers::set);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head || response.body().length == 0) {
            // The JDK's server ends the exchange with these headers: what is unread must be gone before.
            BodyReader.drain(exchange);
            if (head) {
                headers.set("Content-Length", Integer.toString(response.body().length));
            }
            exchange.sendResponseHeaders(response.status(), NO_BODY);
        } else {
            writeBody(exchange, response);
            BodyReader.drain(exchange);
        }
        exchange.close();
    }

    private void writeBody(HttpExchange exchange, Response response) throws IOException {
        Future<?> cut = watchdog.schedule(exchange::close, writeTime.toNanos(), TimeUnit.NANOSECONDS);
        try {
            exchange.sendResponseHeaders(response.status(), response.body().length);
            OutputStream out = exchange.getResponseBody();
            out.write(response.body());
            out.flush();
        } finally {
            cut.cancel(false);
        }
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }
}
