// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import io.headmast.api.json.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters after the {@code ?}, decoded; immutable. */
public final class QueryParameters {
    private final Map<String, List<String>> values;

    private QueryParameters(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * Reads a raw query. A parameter that the endpoint doesn't know is refused: ignoring it would answer another
     * question than the one that was asked.
     */
    static QueryParameters parse(@Nullable String raw, Set<String> known) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        if (raw == null || raw.isEmpty()) {
            return new QueryParameters(values);
        }
        for (String pair : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode("query", equals < 0 ? pair : pair.substring(0, equals));
            if (!known.contains(name)) {
                throw new HeadmastException.Invalid(name, unknown(known));
            }
            String value = equals < 0 ? "" : decode(name, pair.substring(equals + 1));
            values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        }
        return new QueryParameters(values);
    }

    /** @throws HeadmastException.Invalid if it is given more than once */
    public Optional<String> get(String name) {
        List<String> given = all(name);
        if (given.size() > 1) {
            throw new HeadmastException.Invalid(name, "must be given once");
        }
        return given.stream().findFirst();
    }

    /** Every value of a parameter that may be repeated. */
    public List<String> all(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }

    /** @throws HeadmastException.Invalid if it is no whole number */
    public Optional<Integer> integer(String name) {
        return get(name).map(text -> {
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw new HeadmastException.Invalid(name, "must be a whole number");
            }
        });
    }

    /** @throws HeadmastException.Invalid if it is no duration such as {@code 5s} */
    public Optional<Duration> duration(String name) {
        return get(name).map(text -> DurationText.parse(name, text));
    }

    private static String decode(String field, String text) {
        return PercentEncoding.decode(field, text.replace('+', ' '));
    }

    private static String unknown(Set<String> known) {
        return known.isEmpty()
                ? "is not known: there are no query parameters here"
                : "is not a query parameter here; there are: " + String.join(", ", known);
    }
}
