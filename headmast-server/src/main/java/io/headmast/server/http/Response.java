// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.google.gson.JsonElement;
import io.headmast.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer: a status, headers, and a body that may be empty. Immutable; the body's array is not copied. */
public final class Response {
    private static final byte[] NO_BODY = new byte[0];
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private Response(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** An answer with a JSON body. */
    public static Response json(int status, JsonElement value) {
        return withBody(status, "application/json", value);
    }

    /** 204. */
    public static Response noContent() {
        return new Response(204, Map.of(), NO_BODY);
    }

    static Response problem(Problem problem) {
        Response response = withBody(problem.status(), Problem.CONTENT_TYPE, problem.toJson());
        return problem.status() == UNAVAILABLE ? response.header("Retry-After", "1") : response;
    }

    /** The same with one header more. */
    public Response header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Response(status, more, body);
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

    private static Response withBody(int status, String contentType, JsonElement value) {
        byte[] bytes = Json.write(value).getBytes(StandardCharsets.UTF_8);
        return new Response(status, Map.of("Content-Type", contentType), bytes);
    }
}
