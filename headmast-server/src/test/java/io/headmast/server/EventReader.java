// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads a stream of server-sent events as it comes, without taking it apart. */
final class EventReader implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private EventReader(HttpResponse<InputStream> response) {
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** Returns when the headers of the answer are there. */
    static EventReader open(URI server, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server + path)).timeout(Duration.ofSeconds(20));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return new EventReader(HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The next line as it stands. */
    String line() {
        try {
            String line = lines.readLine();
            if (line == null) {
                throw new AssertionError("the stream has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next event: its lines, without the blank one that ends it. */
    String event() {
        StringBuilder event = new StringBuilder();
        for (String line = line(); !line.isEmpty(); line = line()) {
            event.append(line).append('\n');
        }
        return event.toString();
    }

    /** All that still comes. */
    String rest() {
        StringBuilder rest = new StringBuilder();
        lines.lines().forEach(line -> rest.append(line).append('\n'));
        return rest.toString();
    }

    /** Goes away. */
    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
