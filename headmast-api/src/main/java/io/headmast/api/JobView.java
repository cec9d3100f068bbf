// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import io.headmast.api.json.UnknownFields;
import java.util.List;

/**
 * A job as users are shown it: its record, the revision of that record, and what is observed of its run.
 *
 * @param revision changes with every change of the record; names it in {@code If-Match}
 * @param state the observed side, never part of the record
 */
public record JobView(Job job, long revision, RunState state) {
    /** The members of the JSON form that are not the job's own. */
    private static final List<String> OBSERVED = List.of("revision", "state");

    public JsonObject toJson() {
        JsonObject json = job.toJson();
        json.addProperty("revision", revision);
        json.add("state", state.toJson());
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static JobView fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        long revision = fields.integer("revision").orElse(0L);
        RunState state = fields.object("state")
                .map(RunState::fromJson)
                .orElseThrow(() -> new HeadmastException.Invalid("state", "is missing"));
        return new JobView(jobIn(json), revision, state);
    }

    /** The job in a JSON that may be a view's: people send back what they were shown. */
    public static Job jobIn(JsonObject json) {
        Job job = Job.fromJson(json);
        UnknownFields own = job.unknown().without(OBSERVED);
        return job.toBuilder().unknown(own).build();
    }
}
