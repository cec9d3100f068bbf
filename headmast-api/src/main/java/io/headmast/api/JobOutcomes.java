// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.List;
import java.util.Optional;

/**
 * What became of many jobs, one outcome for each.
 *
 * @param next the cursor with which an order to many goes on; absent when all had their turn
 */
public record JobOutcomes(List<JobOutcome> items, Optional<String> next) {
    public JobOutcomes {
        items = List.copyOf(items);
    }

    public JsonObject toJson() {
        JsonArray array = new JsonArray(items.size());
        items.forEach(item -> array.add(item.toJson()));
        JsonObject json = new JsonObject();
        json.add("items", array);
        next.ifPresent(cursor -> json.addProperty("next", cursor));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static JobOutcomes fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new JobOutcomes(
                fields.requiredObjects("items").stream()
                        .map(JobOutcome::fromJson)
                        .toList(),
                fields.string("next"));
    }
}
