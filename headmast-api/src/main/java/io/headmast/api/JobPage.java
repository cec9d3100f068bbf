// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One page of a list of jobs, by ascending id.
 *
 * @param next the cursor of the next page; absent on the last one
 * @param revision what it shows is at least as new as that: a watch from the first page's on misses nothing
 */
public record JobPage(List<JobView> items, Optional<String> next, long revision) {
    public JobPage {
        items = List.copyOf(items);
    }

    public JsonObject toJson() {
        JsonArray array = new JsonArray();
        items.forEach(item -> array.add(item.toJson()));
        JsonObject json = new JsonObject();
        json.add("items", array);
        next.ifPresent(cursor -> json.addProperty("next", cursor));
        json.addProperty("revision", revision);
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static JobPage fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        List<JobView> items = new ArrayList<>();
        for (JsonObject item : fields.requiredObjects("items")) {
            items.add(JobView.fromJson(item));
        }
        return new JobPage(
                items, fields.string("next"), fields.integer("revision").orElse(0L));
    }
}
