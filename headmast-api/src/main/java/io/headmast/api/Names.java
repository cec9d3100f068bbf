// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The alphabet of ids and domains: 1 to 128 characters of {@code A-Z a-z 0-9 . _ - @ : ~}, but not {@code .} or {@code
 * ..}. So a name is safe as a path segment of a URL and of an etcd key, and is checked before it comes near either.
 */
public final class Names {
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._\\-@:~]{1,128}");

    private Names() {}

    /**
     * Returns {@code name} if it is valid.
     *
     * @throws HeadmastException.Invalid naming {@code field} otherwise
     */
    public static String require(String field, String name) {
        if (!isValid(name)) {
            throw new HeadmastException.Invalid(
                    field, "must be 1 to 128 characters of A-Z a-z 0-9 . _ - @ : ~, and not '.' or '..'");
        }
        return name;
    }

    /** Whether {@code name} keeps to the alphabet. */
    public static boolean isValid(String name) {
        return VALID.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    /** A new random id. */
    public static String random() {
        return UUID.randomUUID().toString();
    }
}
