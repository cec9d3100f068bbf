// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import com.google.gson.JsonElement;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is sent to whichever server, independent of it.
 *
 * @param target path and query below the server's address
 * @param body JSON
 * @param ifMatch the revision that the record must still have
 * @param accept the type of the answer
 */
record Request(String method, String target, Optional<Payload> body, OptionalLong ifMatch, String accept) {
    /** The type of an answer that goes on. */
    static final String EVENTS = "text/event-stream";

    static Request of(String method, Target target) {
        return new Request(method, target.text(), Optional.empty(), OptionalLong.empty(), "application/json");
    }

    static Request stream(Target target) {
        return new Request("GET", target.text(), Optional.empty(), OptionalLong.empty(), EVENTS);
    }

    Request with(JsonElement json) {
        return with(Json.toPayload(json));
    }

    Request with(Payload json) {
        return new Request(method, target, Optional.of(json), ifMatch, accept);
    }

    Request ifMatch(OptionalLong revision) {
        return new Request(method, target, body, revision, accept);
    }

    /** For errors: the method and the target. */
    @Override
    public String toString() {
        return method + " " + target;
    }
}
