// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import java.io.Serial;

/**
 * A JSON number as it was written. It is converted only when someone asks, so reading one costs nothing however many
 * digits or however large an exponent it has, and writing it back changes nothing. Equal by text.
 */
final class NumberText extends Number {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String text;

    /** Of a text that the grammar of JSON allows. */
    NumberText(String text) {
        this.text = text;
    }

    @Override
    public int intValue() {
        return (int) longValue();
    }

    /** Exact within 64 bits; beyond that, or with a fraction, as {@link Number} says for conversions. */
    @Override
    public long longValue() {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return (long) doubleValue();
        }
    }

    @Override
    public float floatValue() {
        return Float.parseFloat(text);
    }

    @Override
    public double doubleValue() {
        return Double.parseDouble(text);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberText that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
