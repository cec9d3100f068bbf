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
import java.util.Collection;
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
    /** How deep the value of a member may nest that nobody knew: it must still be readable inside a list or an event. */
    static final int MAX_UNKNOWN_DEPTH = Json.MAX_DEPTH / 2;

    private final JsonObject object;
    private final String path;
    private final Set<String> asked = new LinkedHashSet<>();

    /** The members of a document's top level. */
    public JsonFields(JsonObject object) {
        this(object, "");
    }

    /** The members of an inner object; {@code path} stands before their names in errors, such as {@code restart.}. */
    public JsonFields(JsonObject object, String path) {
        this.object = object;
        this.path = path;
    }

    /** @throws HeadmastException.Invalid if it is there and is no string */
    public Optional<String> string(String name) {
        return primitive(name, JsonPrimitive::isString, "must be a string").map(JsonPrimitive::getAsString);
    }

    /** @throws HeadmastException.Invalid if it is absent */
    public String requiredString(String name) {
        return string(name).orElseThrow(() -> invalid(name, "is missing"));
    }

    /**
     * A whole number, exact over all 64 bits.
     *
     * @throws HeadmastException.Invalid if it is something else, or is written with a fraction or an exponent
     */
    public Optional<Long> integer(String name) {
        return primitive(name, JsonPrimitive::isNumber, "must be a whole number")
                .map(number -> {
                    try {
                        return Long.parseLong(number.getAsString());
                    } catch (NumberFormatException e) {
                        throw invalid(name, "must be a whole number of at most 64 bits");
                    }
                });
    }

    /** @throws HeadmastException.Invalid also if it does not lie within {@code [min, max]} */
    public Optional<Integer> integer(String name, int min, int max) {
        return integer(name).map(value -> {
            if (value < min || value > max) {
                throw invalid(name, "must lie between " + min + " and " + max);
            }
            return value.intValue();
        });
    }

    /** @throws HeadmastException.Invalid if it is no number, or one that is too large for a double */
    public Optional<Double> number(String name) {
        return primitive(name, JsonPrimitive::isNumber, "must be a number").map(number -> {
            double value = number.getAsDouble();
            if (!Double.isFinite(value)) {
                throw invalid(name, "must be a finite number");
            }
            return value;
        });
    }

    /** False when absent. */
    public boolean flag(String name) {
        return primitive(name, JsonPrimitive::isBoolean, "must be true or false")
                .map(JsonPrimitive::getAsBoolean)
                .orElse(false);
    }

    /** A duration in the form of {@link DurationText}. */
    public Optional<Duration> duration(String name) {
        return string(name).map(text -> DurationText.parse(path + name, text));
    }

    /** A time by ISO 8601. */
    public Optional<Instant> instant(String name) {
        return string(name).map(text -> {
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw invalid(name, "must be a time such as 2026-01-02T03:04:05Z");
            }
        });
    }

    public Optional<JsonObject> object(String name) {
        return member(name).map(value -> {
            if (!value.isJsonObject()) {
                throw invalid(name, "must be an object");
            }
            return value.getAsJsonObject();
        });
    }

    /** The elements of an array; none when absent. */
    public List<JsonElement> array(String name) {
        return member(name)
                .map(value -> {
                    if (!value.isJsonArray()) {
                        throw invalid(name, "must be an array");
                    }
                    return value.getAsJsonArray().asList();
                })
                .orElse(List.of());
    }

    /** @throws HeadmastException.Invalid if one of the elements is no object */
    public List<JsonObject> objects(String name) {
        List<JsonObject> objects = new ArrayList<>();
        for (JsonElement value : array(name)) {
            if (!value.isJsonObject()) {
                throw invalid(name, "must hold objects only");
            }
            objects.add(value.getAsJsonObject());
        }
        return List.copyOf(objects);
    }

    /** @throws HeadmastException.Invalid if it is absent, or one of the elements is no object */
    public List<JsonObject> requiredObjects(String name) {
        if (member(name).isEmpty()) {
            throw invalid(name, "is missing");
        }
        return objects(name);
    }

    /** @throws HeadmastException.Invalid if one of the elements is no string */
    public List<String> strings(String name) {
        List<String> strings = new ArrayList<>();
        for (JsonElement value : array(name)) {
            strings.add(text(name, value));
        }
        return List.copyOf(strings);
    }

    /** An object that holds strings only, in its order; empty when absent. */
    public Map<String, String> stringMap(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        object(name)
                .ifPresent(members -> members.entrySet()
                        .forEach(
                                entry -> map.put(entry.getKey(), text(name + "." + entry.getKey(), entry.getValue()))));
        return map;
    }

    /**
     * The members that none of the other methods was asked for.
     *
     * @throws HeadmastException.Invalid if one of them is nested deeper than {@value #MAX_UNKNOWN_DEPTH}
     */
    public UnknownFields rest() {
        JsonObject rest = new JsonObject();
        for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                requireShallow(entry.getKey(), entry.getValue(), MAX_UNKNOWN_DEPTH);
                rest.add(entry.getKey(), entry.getValue());
            }
        }
        return UnknownFields.of(rest);
    }

    /** @throws HeadmastException.Invalid if there is a member that none of the other methods was asked for */
    public void requireNoOthers() {
        for (String name : object.keySet()) {
            if (!asked.contains(name)) {
                throw invalid(name, "is not known here; there are: " + String.join(", ", asked));
            }
        }
    }

    private void requireShallow(String name, JsonElement value, int levels) {
        if (!value.isJsonArray() && !value.isJsonObject()) {
            return;
        }
        if (levels == 0) {
            throw invalid(name, "must not be nested deeper than " + MAX_UNKNOWN_DEPTH);
        }
        Collection<JsonElement> inner = value.isJsonArray()
                ? value.getAsJsonArray().asList()
                : value.getAsJsonObject().asMap().values();
        inner.forEach(element -> requireShallow(name, element, levels - 1));
    }

    private HeadmastException.Invalid invalid(String name, String problem) {
        return new HeadmastException.Invalid(path + name, problem);
    }

    private String text(String name, JsonElement value) {
        if (value.isJsonPrimitive() && value.getAsJsonPrimitive().isString()) {
            return value.getAsString();
        }
        throw invalid(name, "must hold strings only");
    }

    private Optional<JsonElement> member(String name) {
        asked.add(name);
        JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? Optional.empty() : Optional.of(value);
    }

    private Optional<JsonPrimitive> primitive(String name, Predicate<JsonPrimitive> type, String otherwise) {
        return member(name).map(value -> {
            if (!value.isJsonPrimitive() || !type.test(value.getAsJsonPrimitive())) {
                throw invalid(name, otherwise);
            }
            return value.getAsJsonPrimitive();
        });
    }
}
