// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;

/**
 * The leader's order to a worker to end one placement and give it up; stored on the worker's killer path. It concerns
 * the placement of that epoch only and is never withdrawn.
 *
 * @param epoch the placement it ends
 * @param then the phase that the worker writes once the run has ended: {@code killed}, {@code inactive}, or {@code
 *     pending} when the job is to be placed again
 * @param reason why, for people
 */
public record KillOrder(long epoch, Phase then, String reason) {
    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("epoch", epoch);
        json.addProperty("then", then.wireName());
        json.addProperty("reason", reason);
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static KillOrder fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new KillOrder(
                fields.integer("epoch").orElseThrow(() -> new HeadmastException.Invalid("epoch", "is missing")),
                Named.parse(Phase.class, "then", fields.requiredString("then")),
                fields.string("reason").orElse(""));
    }
}
