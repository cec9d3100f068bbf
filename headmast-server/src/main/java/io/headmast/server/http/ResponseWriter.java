// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Sends answers that are complete; a client that doesn't read its answer in time loses its connection. */
final class ResponseWriter {
    private static final int NO_BODY = -1;

    private final Duration writeTime;
    private final ScheduledExecutorService watchdog;

    ResponseWriter(Duration writeTime, ScheduledExecutorService watchdog) {
        this.writeTime = writeTime;
        this.watchdog = watchdog;
    }

    /** Those of every answer, and its own. */
    static void setHeaders(HttpExchange exchange, Response response) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        response.headers().forEach(headers::set);
    }

    /**
     * Sends the answer and ends the exchange.
     *
     * @throws IOException if the client is gone or was cut off; the caller passes it on to the JDK's server, which
     *     forgets the connection only then
     */
    void write(HttpExchange exchange, Response response) throws IOException {
        setHeaders(exchange, response);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head || response.body().length == 0) {
            // The JDK's server ends the exchange with these headers: what is unread must be gone before.
            BodyReader.drain(exchange);
            if (head && response.stream().isEmpty()) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(response.body().length));
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
}
