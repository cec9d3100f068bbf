// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.util.List;
import java.util.OptionalInt;

/**
 * What a route takes as a request's body.
 *
 * @param types the media types, one of which it must have
 * @param maxBytes the most bytes, where the route has a limit of its own
 */
public record BodyForm(List<String> types, OptionalInt maxBytes) {
    public static final String JSON_TYPE = "application/json";

    /** JSON within the server's usual limit. */
    public static final BodyForm JSON = new BodyForm(List.of(JSON_TYPE), OptionalInt.empty());

    public BodyForm {
        types = List.copyOf(types);
    }
}
