// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.time.Instant;

/**
 * A server as it announces itself on its lease, and as the leader key names it.
 *
 * @param id unique among the servers
 * @param incarnation random per start
 * @param address where its REST interface is reached
 */
public record Server(String id, String incarnation, String address, Instant since) {
    public Server {
        Names.require("id", id);
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("id", id);
        json.addProperty("incarnation", incarnation);
        json.addProperty("address", address);
        json.addProperty("since", since.toString());
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Server fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new Server(
                fields.requiredString("id"),
                fields.string("incarnation").orElse(""),
                fields.string("address").orElse(""),
                fields.instant("since").orElse(Instant.EPOCH));
    }
}
