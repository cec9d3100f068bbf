// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Revisions as entity tags: {@code "4711"}. */
public final class EntityTag {
    private static final Pattern FORM = Pattern.compile("\"(\\d{1,19})\"|(\\d{1,19})");

    private EntityTag() {}

    public static String of(long revision) {
        return '"' + Long.toString(revision) + '"';
    }

    /** One tag, with its quotes or without; {@code *} is any revision. */
    static OptionalLong parse(String text) {
        String value = text.strip();
        if (value.equals("*")) {
            return OptionalLong.empty();
        }
        Matcher matcher = FORM.matcher(value);
        if (matcher.matches()) {
            try {
                String digits = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                return OptionalLong.of(Long.parseLong(digits));
            } catch (NumberFormatException e) {
                throw malformed();
            }
        }
        throw malformed();
    }

    private static HeadmastException.Invalid malformed() {
        return new HeadmastException.Invalid("If-Match", "must be one revision such as \"4711\", or *");
    }
}
