// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;

/**
 * A job's place on a worker, stored on the worker's working path and on its lease. Its create revision is the epoch.
 *
 * @param targetState how far the worker should bring it
 */
public record Assignment(TargetState targetState) {
    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("targetState", targetState.wireName());
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Assignment fromJson(JsonObject json) {
        return new Assignment(
                Named.parse(TargetState.class, "targetState", new JsonFields(json).requiredString("targetState")));
    }
}
