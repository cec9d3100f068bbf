// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import java.util.List;
import java.util.Optional;

/**
 * Why a request was not carried out, as {@code application/problem+json} (RFC 9457).
 *
 * @param type the stable name of the kind, shown as {@code urn:headmast:<type>}
 * @param detail what went wrong and what to do about it
 * @param field what part of the input is at fault
 */
public record Problem(int status, String type, String detail, Optional<String> field) {
    static final String CONTENT_TYPE = "application/problem+json";

    public static Problem of(HeadmastException failure) {
        return new Problem(failure.httpStatus(), failure.type(), failure.detail(), failure.field());
    }

    static Problem methodNotAllowed(String method, String allow) {
        return new Problem(
                405, "method-not-allowed", method + " is not possible here; these are: " + allow, Optional.empty());
    }

    static Problem unsupportedMediaType(List<String> taken, String given) {
        return new Problem(
                415,
                "unsupported-media-type",
                "Content-Type must be " + String.join(" or ", taken) + ", not " + given,
                Optional.of("Content-Type"));
    }

    public JsonObject toJson() {
        return new io.headmast.api.Problem(type, status, detail, field).toJson();
    }
}
