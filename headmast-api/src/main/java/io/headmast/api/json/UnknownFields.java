// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Members of a JSON object that this version doesn't know. They are kept and written back, so that an update by an
 * older program loses nothing a newer one put there. Immutable.
 */
public final class UnknownFields {
    private static final UnknownFields NONE = new UnknownFields(new JsonObject());

    private final JsonObject members;

    private UnknownFields(JsonObject members) {
        this.members = members;
    }

    /** No members at all. */
    public static UnknownFields none() {
        return NONE;
    }

    static UnknownFields of(JsonObject members) {
        return members.isEmpty() ? NONE : new UnknownFields(members.deepCopy());
    }

    /** Their names, in the order they stood in. */
    public Set<String> names() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(members.keySet()));
    }

    /** The same without some. */
    public UnknownFields without(List<String> names) {
        JsonObject rest = members.deepCopy();
        names.forEach(rest::remove);
        return of(rest);
    }

    /** These, and those of {@code others} that are not among these. */
    public UnknownFields or(UnknownFields others) {
        JsonObject all = members.deepCopy();
        others.addTo(all);
        return of(all);
    }

    /** Adds them to {@code object}; what that has already stays. */
    public void addTo(JsonObject object) {
        members.deepCopy().entrySet().forEach(entry -> {
            if (!object.has(entry.getKey())) {
                object.add(entry.getKey(), entry.getValue());
            }
        });
    }

    /** By value; the order of members counts for nothing, the way a number is written does. */
    @Override
    public boolean equals(Object other) {
        return other instanceof UnknownFields that && same(members, that.members);
    }

    @Override
    public int hashCode() {
        return members.keySet().hashCode();
    }

    /** Gson compares numbers as doubles, by which 2^53 and 2^53 + 1 are the same. */
    private static boolean same(JsonElement one, JsonElement other) {
        if (one.isJsonObject() && other.isJsonObject()) {
            return sameMembers(one.getAsJsonObject(), other.getAsJsonObject());
        }
        if (one.isJsonArray() && other.isJsonArray()) {
            return sameElements(one.getAsJsonArray(), other.getAsJsonArray());
        }
        return Json.write(one).equals(Json.write(other));
    }

    private static boolean sameMembers(JsonObject one, JsonObject other) {
        return one.keySet().equals(other.keySet())
                && one.keySet().stream().allMatch(name -> same(one.get(name), other.get(name)));
    }

    private static boolean sameElements(JsonArray one, JsonArray other) {
        return one.size() == other.size()
                && IntStream.range(0, one.size()).allMatch(i -> same(one.get(i), other.get(i)));
    }

    @Override
    public String toString() {
        return names().toString();
    }
}
