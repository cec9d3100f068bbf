// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Optional;

/**
 * One order to many jobs.
 *
 * @param selector which jobs; not empty
 * @param limit the most jobs of one call, 1 to {@value #MAX_LIMIT}
 * @param cursor where to go on: the {@code next} of the call before
 */
public record JobOrder(BulkAction action, JobSelector selector, int limit, Optional<String> cursor) {
    public static final int MAX_LIMIT = 1000;

    /** @throws HeadmastException.Invalid naming what is at fault */
    public JobOrder {
        if (selector.isEmpty()) {
            throw new HeadmastException.Invalid(
                    "selector", "must hold a condition; to mean every job, say so: \"selector\":{\"all\":true}");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new HeadmastException.Invalid("limit", "must lie between 1 and " + MAX_LIMIT);
        }
        cursor.ifPresent(name -> Names.require("cursor", name));
    }

    public static JobOrder of(BulkAction action, JobSelector selector) {
        return new JobOrder(action, selector, MAX_LIMIT, Optional.empty());
    }

    /** The same for the jobs after those that had their turn. */
    public JobOrder from(String next) {
        return new JobOrder(action, selector, limit, Optional.of(next));
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("action", action.wireName());
        json.add("selector", selector.toJson());
        json.addProperty("limit", limit);
        cursor.ifPresent(name -> json.addProperty("cursor", name));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault; a member that isn't known is */
    public static JobOrder fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        BulkAction action = Named.parse(BulkAction.class, "action", fields.requiredString("action"));
        JobSelector selector = fields.object("selector")
                .map(JobSelector::fromJson)
                .orElseThrow(() -> new HeadmastException.Invalid("selector", "is missing"));
        JobOrder order = new JobOrder(
                action, selector, fields.integer("limit", 1, MAX_LIMIT).orElse(MAX_LIMIT), fields.string("cursor"));
        fields.requireNoOthers();
        return order;
    }
}
