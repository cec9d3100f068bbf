// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Path and query of a request, percent-encoded. Immutable. */
final class Target {
    private static final String BASE = "/api/v1";
    private static final String UNRESERVED = "-._~";

    private final String text;

    private Target(String text) {
        this.text = text;
    }

    /** The path of these segments below the interface's base. */
    static Target of(String... segments) {
        StringBuilder path = new StringBuilder(BASE);
        for (String segment : segments) {
            path.append('/').append(encode(segment));
        }
        return new Target(path.toString());
    }

    /** What is done with all of them: {@code jobs:batch}. */
    Target verb(String name) {
        return new Target(text + ':' + name);
    }

    Target with(String name, String value) {
        return new Target(text + (text.indexOf('?') < 0 ? '?' : '&') + name + '=' + encode(value));
    }

    Target with(String name, Optional<String> value) {
        return value.map(present -> with(name, present)).orElse(this);
    }

    String text() {
        return text;
    }

    /** Everything but letters, digits and {@code -._~}: so neither a segment nor a value can end early. */
    private static String encode(String value) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
                encoded.append(c);
            } else {
                encoded.append(String.format("%%%02X", (int) c));
            }
        }
        return encoded.toString();
    }
}
