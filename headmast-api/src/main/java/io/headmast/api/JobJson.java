// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.DurationText;
import io.headmast.api.json.JsonFields;
import java.util.Map;

/** The JSON form of a {@link Job}; absent members take the builder's defaults. */
final class JobJson {
    private JobJson() {}

    static JsonObject write(Job job) {
        JsonObject json = new JsonObject();
        json.addProperty("id", job.id());
        json.addProperty("domain", job.domain());
        json.addProperty("payload", job.payload().toBase64());
        json.addProperty("status", job.status().wireName());
        json.addProperty("targetState", job.targetState().wireName());
        json.addProperty("generation", job.generation());
        json.addProperty("weight", job.weight());
        json.add("labels", strings(job.labels()));
        json.add("restart", job.restart().toJson());
        job.maxRunTime().ifPresent(time -> json.addProperty("maxRunTime", DurationText.format(time)));
        job.retainFor().ifPresent(time -> json.addProperty("retainFor", DurationText.format(time)));
        job.unknown().addTo(json);
        return json;
    }

    static Job read(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        Job.Builder job = Job.builder().id(Names.require("id", fields.requiredString("id")));
        fields.string("domain").ifPresent(job::domain);
        fields.string("payload").ifPresent(text -> job.payload(Payload.fromBase64("payload", text)));
        fields.string("status").ifPresent(name -> job.status(Named.parse(JobStatus.class, "status", name)));
        fields.string("targetState")
                .ifPresent(name -> job.targetState(Named.parse(TargetState.class, "targetState", name)));
        fields.integer("generation").ifPresent(job::generation);
        fields.integer("weight", 1, Integer.MAX_VALUE).ifPresent(job::weight);
        job.labels(fields.stringMap("labels"));
        fields.object("restart").ifPresent(policy -> job.restart(RestartPolicy.fromJson(policy)));
        fields.duration("maxRunTime").ifPresent(job::maxRunTime);
        fields.duration("retainFor").ifPresent(job::retainFor);
        return job.unknown(fields.rest()).build();
    }

    static JsonObject strings(Map<String, String> map) {
        JsonObject json = new JsonObject();
        map.forEach(json::addProperty);
        return json;
    }
}
