// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/**
 * A half-open range of keys, {@code [from, to)}; an empty {@code to} means no upper bound.
 *
 * @param from the first key, inclusive
 * @param to the end, exclusive; empty for no bound
 */
public record KeyRange(String from, String to) {
    /** Exactly one key. */
    public static KeyRange key(String key) {
        return new KeyRange(key, key + '\0');
    }

    /** Every key that begins with {@code prefix}. */
    public static KeyRange prefix(String prefix) {
        return new KeyRange(prefix, prefixEnd(prefix));
    }

    /** Whether this is the range of {@link #key}: no other key than {@code from} can lie in it. */
    public boolean isKey() {
        return to.length() == from.length() + 1 && to.endsWith("\0") && to.startsWith(from);
    }

    public boolean contains(String key) {
        return key.compareTo(from) >= 0 && (to.isEmpty() || key.compareTo(to) < 0);
    }

    /** The same range without what lies up to and including {@code key}: where the next page starts. */
    public KeyRange after(String key) {
        return new KeyRange(key + '\0', to);
    }

    /** The least key greater than all with the prefix: its last byte below 0xff plus one, counted unsigned. */
    private static String prefixEnd(String prefix) {
        for (int i = prefix.length() - 1; i >= 0; i--) {
            char last = prefix.charAt(i);
            if (last < 0xff) {
                return prefix.substring(0, i) + (char) (last + 1);
            }
        }
        return "";
    }
}
