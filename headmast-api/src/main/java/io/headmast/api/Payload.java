// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * An immutable sequence of bytes with value equality: a job's payload, or the value of a key in the store.
 *
 * <p>Thread-safe. The bytes are copied in by {@link #of(byte[])} and copied out by {@link #toByteArray()}; {@link
 * #wrap(byte[])} takes the array over for callers that give it up.
 */
public final class Payload {
    private static final Payload EMPTY = new Payload(new byte[0]);

    private final byte[] bytes;

    private Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The payload of no bytes. */
    public static Payload empty() {
        return EMPTY;
    }

    /** A payload with a copy of {@code bytes}. */
    public static Payload of(byte[] bytes) {
        return wrap(bytes.clone());
    }

    /** A payload of the UTF-8 bytes of {@code text}. */
    public static Payload of(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A payload that takes {@code bytes} over without a copy: the caller must not touch the array afterwards. */
    public static Payload wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(bytes);
    }

    /** @throws HeadmastException.Invalid if {@code text} is not standard base64, naming {@code field} */
    public static Payload fromBase64(String field, String text) {
        try {
            return wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new HeadmastException.Invalid(field, "must be base64 (" + e.getMessage() + ")");
        }
    }

    /** Standard base64, padded, in one line. */
    public String toBase64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** The number of bytes. */
    public int size() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /** The bytes read as UTF-8; malformed input becomes replacement characters. */
    public String toText() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The size only: payloads are user data and don't belong in logs. */
    @Override
    public String toString() {
        return "Payload[" + bytes.length + " bytes]";
    }
}
