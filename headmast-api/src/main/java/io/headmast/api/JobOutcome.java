// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Optional;

/**
 * What became of one job of many that were sent at once.
 *
 * @param id the job's; absent only if what was sent told none
 * @param status the HTTP status that the call for this job alone would have had
 * @param revision of the record afterwards; 0 when there is a problem
 * @param problem why it was not carried out, or why nobody knows
 */
public record JobOutcome(Optional<String> id, int status, long revision, Optional<Problem> problem) {
    public static final int CREATED = 201;
    public static final int OK = 200;
    public static final int ACCEPTED = 202;

    public static JobOutcome done(String id, int status, long revision) {
        return new JobOutcome(Optional.of(id), status, revision, Optional.empty());
    }

    public static JobOutcome failed(Optional<String> id, HeadmastException failure) {
        return new JobOutcome(id, failure.httpStatus(), 0, Optional.of(Problem.of(failure)));
    }

    /** Whether it is carried out, and durable. */
    public boolean isDone() {
        return problem.isEmpty();
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        id.ifPresent(name -> json.addProperty("id", name));
        json.addProperty("status", status);
        problem.ifPresentOrElse(
                given -> json.add("problem", given.toJson()), () -> json.addProperty("revision", revision));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static JobOutcome fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        Optional<Problem> problem = fields.object("problem").map(Problem::fromJson);
        int status = fields.integer("status", 200, 599)
                .orElseThrow(() -> new HeadmastException.Invalid("status", "is missing"));
        if (status >= 300 && problem.isEmpty()) {
            throw new HeadmastException.Invalid("problem", "is missing");
        }
        return new JobOutcome(
                fields.string("id"), status, fields.integer("revision").orElse(0L), problem);
    }
}
