// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;

/**
 * What became of a job at one revision.
 *
 * @param job as it was then; as it was last when it was deleted
 */
public record JobChange(ChangeReason reason, JobView job) {
    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("change", reason.wireName());
        json.add("job", job.toJson());
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static JobChange fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        ChangeReason reason = fields.string("change")
                .map(name -> Named.parse(ChangeReason.class, "change", name))
                .orElseThrow(() -> new HeadmastException.Invalid("change", "is missing"));
        JobView job = fields.object("job")
                .map(JobView::fromJson)
                .orElseThrow(() -> new HeadmastException.Invalid("job", "is missing"));
        return new JobChange(reason, job);
    }
}
