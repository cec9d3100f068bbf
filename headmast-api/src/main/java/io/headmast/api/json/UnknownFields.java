// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import com.google.gson.JsonObject;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

    /** Adds them to {@code object}; what that has already stays. */
    public void addTo(JsonObject object) {
        members.deepCopy().entrySet().forEach(entry -> {
            if (!object.has(entry.getKey())) {
                object.add(entry.getKey(), entry.getValue());
            }
        });
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnknownFields that && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return names().toString();
    }
}
