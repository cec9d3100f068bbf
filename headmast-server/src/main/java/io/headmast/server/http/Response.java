// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.google.gson.JsonElement;
import io.headmast.api.Problem;
import io.headmast.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer: a status, headers, and a body that may be empty, or a stream. Immutable; the body's array is not copied. An
 * answer with a stream that is not sent must be {@link #discard discarded}.
 */
public final class Response {
    private static final byte[] NO_BODY = new byte[0];
    private static final String PROBLEM_TYPE = "application/problem+json";
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;
    private final @Nullable StreamBody stream;

    private Response(int status, Map<String, String> headers, byte[] body, @Nullable StreamBody stream) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.stream = stream;
    }

    /** An answer with a JSON body. */
    public static Response json(int status, JsonElement value) {
        return withBody(status, "application/json", value);
    }

    /** 204. */
    public static Response noContent() {
        return new Response(204, Map.of(), NO_BODY, null);
    }

    /** 200 with a body that goes on; it takes one of the places that there are for streams. */
    public static Response stream(String contentType, StreamBody body) {
        return new Response(200, Map.of("Content-Type", contentType), NO_BODY, body);
    }

    static Response problem(Problem problem) {
        Response response = withBody(problem.status(), PROBLEM_TYPE, problem.toJson());
        return problem.status() == UNAVAILABLE ? response.header("Retry-After", "1") : response;
    }

    /** The same with one header more. */
    public Response header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, more, body, stream);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    Optional<StreamBody> stream() {
        return Optional.ofNullable(stream);
    }

    /** Closes the stream, if there is one, because nobody will read it. */
    void discard() {
        stream().ifPresent(StreamBody::close);
    }

    private static Response withBody(int status, String contentType, JsonElement value) {
        byte[] bytes = Json.write(value).getBytes(StandardCharsets.UTF_8);
        return new Response(status, Map.of("Content-Type", contentType), bytes, null);
    }
}
