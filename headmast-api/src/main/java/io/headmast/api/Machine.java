// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The machine a worker runs on, as in fleet.
 *
 * @param id the same for every worker of one machine: from {@code /etc/machine-id}, or generated
 * @param hostname for people
 * @param publicIp for people; empty when unknown
 * @param metadata what placement may ask for, such as {@code region=eu}
 * @param version headmast's version there
 * @param cores processors that the worker sees
 * @param memoryBytes memory that the machine has, 0 when unknown
 */
public record Machine(
        String id,
        String hostname,
        String publicIp,
        Map<String, String> metadata,
        String version,
        int cores,
        long memoryBytes) {
    public Machine {
        metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("id", id);
        json.addProperty("hostname", hostname);
        json.addProperty("publicIp", publicIp);
        json.add("metadata", JobJson.strings(metadata));
        json.addProperty("version", version);
        json.addProperty("cores", cores);
        json.addProperty("memoryBytes", memoryBytes);
        return json;
    }

    static Machine fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json, "machine.");
        return new Machine(
                fields.string("id").orElse(""),
                fields.string("hostname").orElse(""),
                fields.string("publicIp").orElse(""),
                fields.stringMap("metadata"),
                fields.string("version").orElse(""),
                fields.integer("cores", 0, Integer.MAX_VALUE).orElse(0),
                fields.integer("memoryBytes").orElse(0L));
    }
}
