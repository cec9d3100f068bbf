// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 10s}, {@code 1m30s}, {@code 2h}, {@code 7d}. */
public final class DurationText {
    private static final Pattern FORM =
            Pattern.compile("(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");
    private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000, 1};
    private static final String[] UNITS = {"d", "h", "m", "s", "ms"};

    /** The longest that {@link #format} writes: more would not be read again. */
    public static final Duration MAX = Duration.ofDays(999_999);

    private DurationText() {}

    /** @throws HeadmastException.Invalid naming {@code field} if {@code text} is not of that form */
    public static Duration parse(String field, String text) {
        Matcher matcher = FORM.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new HeadmastException.Invalid(field, "must be a duration such as 500ms, 10s, 1m30s, 2h or 7d");
        }
        long millis = 0;
        for (int i = 0; i < UNIT_MILLIS.length; i++) {
            String count = matcher.group(i + 1);
            millis += count == null ? 0 : Long.parseLong(count) * UNIT_MILLIS[i];
        }
        return Duration.ofMillis(millis);
    }

    /**
     * A text that {@link #parse} reads as the same duration; what is finer than a millisecond is cut off.
     *
     * @param duration neither negative nor longer than {@link #MAX}
     */
    public static String format(Duration duration) {
        if (duration.isNegative() || duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("no text for a duration of " + duration);
        }
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < UNIT_MILLIS.length; i++) {
            long count = millis / UNIT_MILLIS[i];
            millis %= UNIT_MILLIS[i];
            if (count > 0) {
                text.append(count).append(UNITS[i]);
            }
        }
        return text.toString();
    }
}
