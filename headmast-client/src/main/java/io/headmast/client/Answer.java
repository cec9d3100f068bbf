// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.json.Json;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What a server answered. Immutable. */
final class Answer {
    private static final int EXCERPT = 80;

    private final URI server;
    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;
    private final Optional<EventStream> stream;

    Answer(URI server, HttpResponse<Received> response) {
        this.server = server;
        this.status = response.statusCode();
        this.headers = response.headers();
        this.body = response.body().bytes();
        this.stream = response.body().stream();
    }

    URI server() {
        return server;
    }

    int status() {
        return status;
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** @throws HeadmastException.Invalid if it is no JSON object */
    JsonObject json() {
        return Json.parseObject(body);
    }

    /**
     * The events that it goes on with.
     *
     * @throws HeadmastException.Invalid if it doesn't
     */
    EventStream stream() {
        return stream.orElseThrow(() -> new HeadmastException.Invalid("", "should be a stream of events"));
    }

    boolean isAccepted() {
        return status == 202;
    }

    /**
     * That value, if this is the answer that stands for it.
     *
     * @throws HeadmastException.Invalid if it is another one
     */
    <T> T noContent(T value) {
        if (status != 204) {
            throw new HeadmastException.Invalid("", "should have status 204");
        }
        return value;
    }

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }

    /** How long to wait; a date counts as not given. */
    Optional<Duration> retryAfter() {
        return header("Retry-After")
                .filter(text -> text.matches("\\d{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    }

    /** What it looks like, for people who wonder who answered: the status, the type, and the beginning. */
    String description() {
        String text = new String(body, 0, Math.min(body.length, EXCERPT), StandardCharsets.UTF_8)
                .replaceAll("[\\p{Cntrl}\\s]+", " ")
                .strip();
        return "status " + status + ", " + header("Content-Type").orElse("no content type")
                + (text.isEmpty() ? ", empty" : ", '" + text + (body.length > EXCERPT ? "…'" : "'"));
    }
}
