// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.DurationText;
import io.headmast.api.json.JsonFields;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * When a worker runs a job again that ended by itself, and how long it waits first: the pause doubles from {@code
 * backoffMin} up to {@code backoffMax}.
 *
 * @param maxAttempts how often it is tried in all, a lapse of its worker counted too; 0 for no limit
 */
public record RestartPolicy(When when, Duration backoffMin, Duration backoffMax, int maxAttempts) {
    // Before DEFAULT, which is checked against it.
    private static final Duration LONGEST = Duration.ofDays(1);

    /** On failure, after 1 s at first and 5 min at most, without limit. */
    public static final RestartPolicy DEFAULT =
            new RestartPolicy(When.ON_FAILURE, Duration.ofSeconds(1), Duration.ofMinutes(5), 0);

    /** After which endings the job runs again. */
    public enum When implements Named {
        NEVER("never"),
        ON_FAILURE("on-failure"),
        ALWAYS("always");

        private final String wireName;

        When(String wireName) {
            this.wireName = wireName;
        }

        @Override
        public String wireName() {
            return wireName;
        }
    }

    /**
     * Checks the bounds; what is finer than a millisecond is cut off, since the JSON form doesn't carry it.
     *
     * @throws HeadmastException.Invalid naming the field that is at fault
     */
    public RestartPolicy {
        backoffMin = backoffMin.truncatedTo(ChronoUnit.MILLIS);
        backoffMax = backoffMax.truncatedTo(ChronoUnit.MILLIS);
        if (backoffMin.isNegative() || backoffMin.compareTo(backoffMax) > 0) {
            throw new HeadmastException.Invalid("restart.backoffMin", "must lie between 0s and backoffMax");
        }
        if (backoffMax.compareTo(LONGEST) > 0) {
            throw new HeadmastException.Invalid(
                    "restart.backoffMax", "must be at most " + DurationText.format(LONGEST));
        }
        if (maxAttempts < 0) {
            throw new HeadmastException.Invalid("restart.maxAttempts", "must not be negative; 0 means no limit");
        }
    }

    /**
     * The pause before the attempt after {@code attempt}, which has just ended: {@code backoffMin} after the first, twice
     * as long after each further one, never more than {@code backoffMax}.
     */
    public Duration backoffAfter(int attempt) {
        Duration pause = backoffMin;
        for (int i = 1; i < attempt && pause.compareTo(backoffMax) < 0 && !pause.isZero(); i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(backoffMax) < 0 ? pause : backoffMax;
    }

    /** Whether {@code attempt} was the last one. */
    public boolean exhaustedBy(int attempt) {
        return maxAttempts > 0 && attempt >= maxAttempts;
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("policy", when.wireName());
        json.addProperty("backoffMin", DurationText.format(backoffMin));
        json.addProperty("backoffMax", DurationText.format(backoffMax));
        json.addProperty("maxAttempts", maxAttempts);
        return json;
    }

    static RestartPolicy fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json, "restart.");
        return new RestartPolicy(
                fields.string("policy")
                        .map(name -> Named.parse(When.class, "restart.policy", name))
                        .orElse(DEFAULT.when),
                fields.duration("backoffMin").orElse(DEFAULT.backoffMin),
                fields.duration("backoffMax").orElse(DEFAULT.backoffMax),
                fields.integer("maxAttempts", 0, Integer.MAX_VALUE).orElse(0));
    }
}
