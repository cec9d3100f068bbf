// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.api.json.JsonFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleConsumer;

/**
 * A rule chain: a source that gives a value again and again, and the rules it goes through. Immutable.
 *
 * @param every the time between two values
 * @param value what the source gives
 * @param rules applied one after the other
 */
record RuleChain(Duration every, double value, List<Rule> rules) {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final int MAX_RULES = 1_000;

    RuleChain {
        rules = List.copyOf(rules);
    }

    /**
     * Reads {@code {"source":{"every":"1s","value":20},"rules":[{"type":"scale","by":1.8},{"type":"log"}]}}.
     *
     * @throws HeadmastException.Invalid naming the member that is at fault
     */
    static RuleChain parse(Payload payload) {
        JsonFields fields = new JsonFields(Json.parseObject(payload.toByteArray()));
        JsonFields source = new JsonFields(fields.object("source").orElseThrow(() -> missing("source")), "source.");
        Duration every = source.duration("every").orElseThrow(() -> missing("source.every"));
        if (every.compareTo(SHORTEST) < 0) {
            throw new HeadmastException.Invalid("source.every", "must be at least " + SHORTEST.toMillis() + "ms");
        }
        double value = source.number("value").orElseThrow(() -> missing("source.value"));
        Rule.requireNothingElse(source, "source.");
        List<Rule> rules = rules(fields.requiredObjects("rules"));
        Rule.requireNothingElse(fields, "");
        return new RuleChain(every, value, rules);
    }

    /**
     * Sends one value of the source through the rules.
     *
     * @param log takes what the chain logs
     * @return the value that came out; empty when a filter has kept it
     */
    OptionalDouble tick(DoubleConsumer log) {
        OptionalDouble current = OptionalDouble.of(value);
        for (Rule rule : rules) {
            current = rule.apply(current.getAsDouble(), log);
            if (current.isEmpty()) {
                return current;
            }
        }
        return current;
    }

    private static List<Rule> rules(List<JsonObject> objects) {
        if (objects.size() > MAX_RULES) {
            throw new HeadmastException.Invalid("rules", "must be at most " + MAX_RULES);
        }
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            rules.add(Rule.parse(objects.get(i), "rules[" + i + "]."));
        }
        return rules;
    }

    private static HeadmastException.Invalid missing(String field) {
        return new HeadmastException.Invalid(field, "is missing");
    }
}
