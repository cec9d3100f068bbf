// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.time.Instant;

/**
 * An operator's mark on a worker; it survives the worker's restart.
 *
 * @param mode whether running jobs are moved away too
 * @param by who set it, as far as known
 * @param reason why
 */
public record Cordon(Mode mode, String by, String reason, Instant since) {
    /** What the mark forbids. */
    public enum Mode implements Named {
        /** Nothing new is placed there. */
        CORDON("cordon"),
        /** Nothing new is placed there, and what runs there moves away. */
        DRAIN("drain");

        private final String wireName;

        Mode(String wireName) {
            this.wireName = wireName;
        }

        @Override
        public String wireName() {
            return wireName;
        }
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("mode", mode.wireName());
        json.addProperty("by", by);
        json.addProperty("reason", reason);
        json.addProperty("since", since.toString());
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Cordon fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new Cordon(
                Named.parse(Mode.class, "mode", fields.requiredString("mode")),
                fields.string("by").orElse(""),
                fields.string("reason").orElse(""),
                fields.instant("since").orElse(Instant.EPOCH));
    }
}
