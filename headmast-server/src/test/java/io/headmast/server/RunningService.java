// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A service on a free port before an {@link InMemoryCore}, and a client of it. */
final class RunningService implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final InMemoryCore core = new InMemoryCore();
    final HeadmastService service;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    RunningService() {
        this(ServingOptions.builder().port(0));
    }

    RunningService(ServingOptions.Builder options) {
        service = new HeadmastService(options.port(0).build(), core.core());
        service.start();
    }

    /** An answer with what most tests look at. */
    record Answer(int status, String body, HttpResponse<String> http) {
        JsonObject json() {
            return Json.parseObject(body.getBytes(StandardCharsets.UTF_8));
        }

        String text(String member) {
            return json().get(member).getAsString();
        }

        String header(String name) {
            return http.headers().firstValue(name).orElse("");
        }
    }

    Answer get(String path) {
        return send("GET", path, "");
    }

    Answer post(String path, String body) {
        return send("POST", path, body);
    }

    /** Sends a request with a JSON body, or with none when it is empty. */
    Answer send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service.address() + path))
                .timeout(PATIENCE)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.setHeader("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return send(request.build());
    }

    Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body(), response);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Sends exactly that request line, which a decent client would refuse to send, and returns all that comes back.
     *
     * @param headers lines that end with CRLF
     */
    String raw(String requestLine, String headers) {
        URI address = service.address();
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String request = requestLine + "\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        service.close();
    }
}
