// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Optional;

/**
 * A worker as users are shown it.
 *
 * @param worker its registration, with the views of its jobs
 * @param live whether its lease holds; a worker that is not live is shown only while a cordon of its remains
 * @param used the weight placed on it
 * @param cordon an operator's mark
 */
public record WorkerView(Worker worker, boolean live, long used, Optional<Cordon> cordon) {
    public JsonObject toJson() {
        JsonObject json = worker.toJson();
        json.addProperty("live", live);
        json.addProperty("used", used);
        cordon.ifPresent(value -> json.add("cordon", value.toJson()));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static WorkerView fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new WorkerView(
                Worker.fromJson(json),
                fields.flag("live"),
                fields.integer("used").orElse(0L),
                fields.object("cordon").map(Cordon::fromJson));
    }
}
