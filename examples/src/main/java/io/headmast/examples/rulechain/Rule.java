// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.json.JsonFields;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleConsumer;

/** One step of a chain: what becomes of a value. Pure, apart from what {@link Log} hands to its sink. */
sealed interface Rule {
    /**
     * The value that goes on; empty when it goes no further.
     *
     * @param log takes what the chain logs
     */
    OptionalDouble apply(double value, DoubleConsumer log);

    /** Multiplies. */
    record Scale(double by) implements Rule {
        @Override
        public OptionalDouble apply(double value, DoubleConsumer log) {
            return OptionalDouble.of(value * by);
        }
    }

    /** Adds. */
    record Offset(double by) implements Rule {
        @Override
        public OptionalDouble apply(double value, DoubleConsumer log) {
            return OptionalDouble.of(value + by);
        }
    }

    /** Lets pass what lies strictly between two bounds. */
    record Filter(double above, double below) implements Rule {
        @Override
        public OptionalDouble apply(double value, DoubleConsumer log) {
            return value > above && value < below ? OptionalDouble.of(value) : OptionalDouble.empty();
        }
    }

    /** Hands the value to the log, and on. */
    record Log() implements Rule {
        @Override
        public OptionalDouble apply(double value, DoubleConsumer log) {
            log.accept(value);
            return OptionalDouble.of(value);
        }
    }

    /**
     * Reads {@code {"type":"scale","by":1.8}} and its like.
     *
     * @param path stands before the names of members in errors
     * @throws HeadmastException.Invalid naming the member that is at fault
     */
    static Rule parse(JsonObject json, String path) {
        JsonFields fields = new JsonFields(json, path);
        Rule rule = switch (fields.requiredString("type")) {
            case "scale" -> new Scale(required(fields, path, "by"));
            case "offset" -> new Offset(required(fields, path, "by"));
            case "filter" -> filter(fields, path);
            case "log" -> new Log();
            default -> throw new HeadmastException.Invalid(path + "type", "must be scale, offset, filter or log");
        };
        requireNothingElse(fields, path);
        return rule;
    }

    /** A chain that runs with half of what its author wrote would be worse than one that is refused. */
    static void requireNothingElse(JsonFields fields, String path) {
        List<String> unknown = List.copyOf(fields.rest().names());
        if (!unknown.isEmpty()) {
            throw new HeadmastException.Invalid(path + unknown.get(0), "is not known here");
        }
    }

    private static Filter filter(JsonFields fields, String path) {
        OptionalDouble above = optional(fields, "above");
        OptionalDouble below = optional(fields, "below");
        if (above.isEmpty() && below.isEmpty()) {
            throw new HeadmastException.Invalid(
                    path + "above", "is missing, and below too: the filter would do nothing");
        }
        return new Filter(above.orElse(Double.NEGATIVE_INFINITY), below.orElse(Double.POSITIVE_INFINITY));
    }

    private static OptionalDouble optional(JsonFields fields, String name) {
        return fields.number(name).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static double required(JsonFields fields, String path, String name) {
        return fields.number(name).orElseThrow(() -> new HeadmastException.Invalid(path + name, "is missing"));
    }
}
