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
 * The cluster as a whole, as one server sees it.
 *
 * @param servers those whose lease holds
 * @param leader the one that schedules
 * @param policy the name of that server's policy
 * @param revision the store's revision that this is as of
 * @param counts how many of each there are
 * @param store whether the server's mirror follows the store, and if not why
 */
public record ClusterView(
        List<Server> servers, Optional<Server> leader, String policy, long revision, Counts counts, String store) {
    /**
     * How many of each there are.
     *
     * @param jobs records
     * @param placed of these, those that are placed on a worker
     * @param pending of these, those that should be placed and are not
     * @param workers live ones
     */
    public record Counts(long jobs, long placed, long pending, long workers) {}

    public ClusterView {
        servers = List.copyOf(servers);
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        JsonArray array = new JsonArray();
        servers.forEach(server -> array.add(server.toJson()));
        json.add("servers", array);
        leader.ifPresent(server -> json.add("leader", server.toJson()));
        json.addProperty("policy", policy);
        json.addProperty("revision", revision);
        JsonObject numbers = new JsonObject();
        numbers.addProperty("jobs", counts.jobs());
        numbers.addProperty("placed", counts.placed());
        numbers.addProperty("pending", counts.pending());
        numbers.addProperty("workers", counts.workers());
        json.add("counts", numbers);
        json.addProperty("store", store);
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static ClusterView fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        List<Server> servers = new ArrayList<>();
        for (JsonObject server : fields.requiredObjects("servers")) {
            servers.add(Server.fromJson(server));
        }
        JsonFields numbers = new JsonFields(fields.object("counts").orElseGet(JsonObject::new), "counts.");
        return new ClusterView(
                servers,
                fields.object("leader").map(Server::fromJson),
                fields.string("policy").orElse(""),
                fields.integer("revision").orElse(0L),
                new Counts(
                        numbers.integer("jobs").orElse(0L),
                        numbers.integer("placed").orElse(0L),
                        numbers.integer("pending").orElse(0L),
                        numbers.integer("workers").orElse(0L)),
                fields.string("store").orElse(""));
    }
}
