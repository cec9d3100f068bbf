// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Takes the members of a JSON object one by one, each with its type checked, and remembers which were asked for: {@link
 * #rest()} is what nobody knew. A JSON null counts as absent. Not thread-safe.
 */
public final class JsonFields {
    private final JsonObject object;
    private final Set<String> asked = new LinkedHashSet<>();

    public JsonFields(JsonObject object) {
        this.object = object;
    }

    public Optional<String> string(String name) {
        return primitive(name, JsonPrimitive::isString, "must be a string").map(JsonPrimitive::getAsString);
    }

    /** @throws HeadmastException.Invalid if it is absent */
    public String requiredString(String name) {
        return string(name).orElseThrow(() -> new HeadmastException.Invalid(name, "is missing"));
    }

    public Optional<Long> integer(String name) {
        return primitive(name, JsonPrimitive::isNumber, "must be a whole number")
                .map(number -> {
                    try {
                        return Long.parseLong(number.getAsString());
                    } catch (NumberFormatException e) {
                        throw new HeadmastException.Invalid(name, "must be a whole number of at most 64 bits");
                    }
                });
    }

    /** @throws HeadmastException.Invalid also if it does not lie within {@code [min, max]} */
    public Optional<Integer> integer(String name, int min, int max) {
        return integer(name).map(value -> {
            if (value < min || value > max) {
                throw new HeadmastException.Invalid(name, "must lie between " + min + " and " + max);
            }
            return value.intValue();
        });
    }

    public Optional<Double> number(String name) {
        return primitive(name, JsonPrimitive::isNumber, "must be a number").map(number -> {
            double value = number.getAsDouble();
            if (!Double.isFinite(value)) {
                throw new HeadmastException.Invalid(name, "must be a finite number");
            }
            return value;
        });
    }

    public boolean flag(String name) {
        return primitive(name, JsonPrimitive::isBoolean, "must be true or false")
                .map(JsonPrimitive::getAsBoolean)
                .orElse(false);
    }

    public Optional<Duration> duration(String name) {
        return string(name).map(text -> DurationText.parse(name, text));
    }

    public Optional<Instant> instant(String name) {
        return string(name).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw new HeadmastException.Invalid(name, "must be a time such as 2026-01-02T03:04:05Z");
            }
        });
    }

    public Optional<JsonObject> object(String name) {
        return member(name).map(value -> {
            if (!value.isJsonObject()) {
                throw new HeadmastException.Invalid(name, "must be an object");
            }
            return value.getAsJsonObject();
        });
    }

    public List<JsonElement> array(String name) {
        return member(name)
                .map(value -> {
                    if (!value.isJsonArray()) {
                        throw new HeadmastException.Invalid(name, "must be an array");
                    }
                    return value.getAsJsonArray().asList();
                })
                .orElse(List.of());
    }

    public List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        for (JsonElement value : array(name)) {
            strings.add(text(name, value));
        }
        return List.copyOf(strings);
    }

    public Map<String, String> stringMap(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        object(name)
                .ifPresent(members -> members.entrySet()
                        .forEach(
                                entry -> map.put(entry.getKey(), text(name + "." + entry.getKey(), entry.getValue()))));
        return map;
    }

    /** The members that none of the other methods was asked for. */
    public UnknownFields rest() {
        JsonObject rest = new JsonObject();
        for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                rest.add(entry.getKey(), entry.getValue());
            }
        }
        return UnknownFields.of(rest);
    }

    private static String text(String name, JsonElement value) {
        if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()) {
            return value.getAsString();
        }
        throw new HeadmastException.Invalid(name, "must hold strings only");
    }

    private Optional<JsonElement> member(String name) {
        asked.add(name);
        JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? Optional.empty() : Optional.of(value);
    }

    private Optional<JsonPrimitive> primitive(String name, Predicate<JsonPrimitive> type, String otherwise) {
        return member(name).map(value -> {
            if (!value.isJsonPrimitive() || !type.test(value.getAsJsonPrimitive())) {
                throw new HeadmastException.Invalid(name, otherwise);
            }
            return value.getAsJsonPrimitive();
        });
    }
}
