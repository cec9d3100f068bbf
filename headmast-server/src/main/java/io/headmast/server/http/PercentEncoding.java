// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-decoding, exactly once, of UTF-8. */
final class PercentEncoding {
    private PercentEncoding() {}

    /** @throws HeadmastException.Invalid naming {@code field} if the escapes are malformed or not UTF-8 */
    static String decode(String field, String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(escaped(field, text, i));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new HeadmastException.Invalid(field, "is not percent-encoded UTF-8");
        }
    }

    private static int escaped(String field, String text, int at) {
        int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(at + 2), 16);
        if (low < 0) {
            throw new HeadmastException.Invalid(field, "has a malformed percent escape");
        }
        return high << 4 | low;
    }
}
