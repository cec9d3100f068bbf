// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.Headers;
import io.headmast.api.HeadmastException;
import io.headmast.api.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A complete request, read and routed: names from the path are valid, and the query holds known parameters only. */
public final class Request {
    private final Map<String, String> names;
    private final QueryParameters query;
    private final Headers headers;
    private final String mediaType;
    private final byte[] body;

    /** @param body is not copied */
    Request(Map<String, String> names, QueryParameters query, Headers headers, String mediaType, byte[] body) {
        this.names = names;
        this.query = query;
        this.headers = headers;
        this.mediaType = mediaType;
        this.body = body;
    }

    /** What stands in the path for {@code {name}}. */
    public String name(String name) {
        String value = names.get(name);
        if (value == null) {
            throw new IllegalStateException("the path has no {" + name + "}");
        }
        return value;
    }

    public QueryParameters query() {
        return query;
    }

    /** @throws HeadmastException.Invalid if it is given more than once */
    public Optional<String> header(String name) {
        List<String> given = headers.getOrDefault(name, List.of());
        if (given.size() > 1) {
            throw new HeadmastException.Invalid(name, "must be given once");
        }
        return given.stream().findFirst();
    }

    /**
     * The revision that the client saw, from {@code If-Match}.
     *
     * @throws HeadmastException.Invalid if there is one that is no revision
     */
    public OptionalLong ifMatch() {
        return header("If-Match").map(EntityTag::parse).orElse(OptionalLong.empty());
    }

    /** One of those that the route takes; anything when there is no body. */
    public String mediaType() {
        return mediaType;
    }

    /** The body as it came, not a copy. */
    public byte[] bytes() {
        return body;
    }

    public boolean hasBody() {
        return body.length > 0;
    }

    /** @throws HeadmastException.Invalid if the body is not a JSON object */
    public JsonObject json() {
        if (!hasBody()) {
            throw new HeadmastException.Invalid("", "the request needs a JSON object as its body");
        }
        return Json.parseObject(body);
    }
}
