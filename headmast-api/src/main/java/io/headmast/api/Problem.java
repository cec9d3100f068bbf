// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Optional;

/**
 * Why something was not carried out, in the form of {@code application/problem+json} (RFC 9457): a {@link
 * HeadmastException} as data.
 *
 * @param type the stable name of the kind, shown as {@code urn:headmast:<type>}
 * @param status the HTTP status that stands for it
 * @param detail what went wrong and what to do about it
 * @param field what part of the input is at fault
 */
public record Problem(String type, int status, String detail, Optional<String> field) {
    private static final String TYPE_PREFIX = "urn:headmast:";
    private static final int MIN_STATUS = 400;
    private static final int MAX_STATUS = 599;

    public static Problem of(HeadmastException failure) {
        return new Problem(failure.type(), failure.httpStatus(), failure.detail(), failure.field());
    }

    /** The failure that it tells of, to be thrown. */
    public HeadmastException toException() {
        return HeadmastException.of(type, status, detail, field.orElse(null));
    }

    /** The kind in words: {@code Not found}. */
    public String title() {
        String words = type.replace('-', ' ');
        return words.isEmpty() ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("type", TYPE_PREFIX + type);
        json.addProperty("title", title());
        json.addProperty("status", status);
        json.addProperty("detail", detail);
        field.ifPresent(name -> json.addProperty("field", name));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault, also if it is none of headmast's own */
    public static Problem fromJson(JsonObject json) {
        int status = new JsonFields(json)
                .integer("status", MIN_STATUS, MAX_STATUS)
                .orElseThrow(() -> new HeadmastException.Invalid("status", "is missing"));
        return fromJson(json, status);
    }

    /**
     * The same for one whose status is known from elsewhere.
     *
     * @throws HeadmastException.Invalid as above
     */
    public static Problem fromJson(JsonObject json, int status) {
        JsonFields fields = new JsonFields(json);
        String type = fields.requiredString("type");
        if (!type.startsWith(TYPE_PREFIX)) {
            throw new HeadmastException.Invalid("type", "must begin with " + TYPE_PREFIX);
        }
        return new Problem(
                type.substring(TYPE_PREFIX.length()),
                status,
                fields.string("detail").or(() -> fields.string("title")).orElse("no details given"),
                fields.string("field"));
    }
}
