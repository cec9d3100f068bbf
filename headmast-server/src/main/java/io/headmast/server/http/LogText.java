// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

/** Text of users in log lines: quoted, on one line, and not too long. */
final class LogText {
    private static final int MAX_LENGTH = 200;

    private LogText() {}

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().limit(MAX_LENGTH).forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ' || c > '~') {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append(text.length() > MAX_LENGTH ? "…\"" : "\"").toString();
    }
}
