// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "500ms, PT0.5S",
        "10s, PT10S",
        "1m30s, PT1M30S",
        "2h, PT2H",
        "7d, PT168H",
        "1d1h1m1s1ms, PT25H1M1.001S",
        "1s1ms, PT1.001S"
    })
    void theShortestTextIsWrittenAndRead(String text, Duration duration) {
        assertEquals(duration, DurationText.parse("d", text));
        assertEquals(text, DurationText.format(duration));
    }

    @ParameterizedTest
    @CsvSource({"90s, PT1M30S", "0d, PT0S", "1500ms, PT1.5S", "1d36h, PT60H", "999999999ms, PT277H46M39.999S"})
    void longerTextsAreReadToo(String text, Duration duration) {
        assertEquals(duration, DurationText.parse("d", text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "s",
                "-1s",
                "+1s",
                "1.5s",
                "1 s",
                "1s ",
                "1s1m",
                "1s1s",
                "PT1S",
                "1S",
                "1w",
                "1us",
                "١s",
                "9999999d",
                "99999999999999999999s"
            })
    void otherTextsAreRefusedAndTheFieldNamed(String text) {
        assertEquals(
                Optional.of("d"),
                assertThrows(HeadmastException.Invalid.class, () -> DurationText.parse("d", text))
                        .field());
    }

    @Test
    void everyDurationIsReadAsItWasWritten() {
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            Duration duration = Duration.ofMillis(random.nextLong(DurationText.MAX.toMillis()) >> random.nextInt(40));
            assertEquals(duration, DurationText.parse("d", DurationText.format(duration)));
        }
        assertEquals(DurationText.MAX, DurationText.parse("d", DurationText.format(DurationText.MAX)));
    }

    @Test
    void whatCouldNotBeReadAgainIsNotWritten() {
        assertThrows(IllegalArgumentException.class, () -> DurationText.format(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> DurationText.format(Duration.ofDays(1_000_000)));
    }
}
