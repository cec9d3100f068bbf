// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.headmast.api.RestartPolicy.When;
import io.headmast.api.json.Json;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartPolicyTest {
    @ParameterizedTest(name = "{0}..{1} after {2}: {3}")
    @CsvSource({
        "PT1S, PT5M, 0, PT1S",
        "PT1S, PT5M, 1, PT1S",
        "PT1S, PT5M, 2, PT2S",
        "PT1S, PT5M, 3, PT4S",
        "PT1S, PT5M, 9, PT4M16S",
        "PT1S, PT5M, 10, PT5M",
        "PT1S, PT5M, 2147483647, PT5M",
        "PT0S, PT5M, 1, PT0S",
        "PT0S, PT5M, 2147483647, PT0S",
        "PT0.001S, PT24H, 2147483647, PT24H",
        "PT3S, PT3S, 7, PT3S",
    })
    void thePauseDoublesUpToItsBound(Duration min, Duration max, int attempt, Duration pause) {
        assertEquals(pause, new RestartPolicy(When.ON_FAILURE, min, max, 0).backoffAfter(attempt));
    }

    @ParameterizedTest
    @CsvSource({"0, 2147483647, false", "3, 2, false", "3, 3, true", "3, 4, true", "1, 1, true"})
    void attemptsAreLimitedWhenTheyAreCounted(int maxAttempts, int attempt, boolean exhausted) {
        RestartPolicy policy = new RestartPolicy(When.ALWAYS, Duration.ZERO, Duration.ZERO, maxAttempts);

        assertEquals(exhausted, policy.exhaustedBy(attempt));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'backoffMin':'6m'}|restart.backoffMin",
                "{'backoffMin':'soon'}|restart.backoffMin",
                "{'backoffMax':'25h'}|restart.backoffMax",
                "{'backoffMax':5}|restart.backoffMax",
                "{'maxAttempts':-1}|restart.maxAttempts",
                "{'maxAttempts':1.0}|restart.maxAttempts",
                "{'policy':'sometimes'}|restart.policy",
            },
            quoteCharacter = '`')
    void whatIsAtFaultIsNamedWithItsPath(String restart, String field) {
        JsonObject json = Json.parse("{'id':'a','restart':RESTART}"
                        .replace("RESTART", restart)
                        .replace('\'', '"'))
                .getAsJsonObject();

        HeadmastException.Invalid refused = assertThrows(HeadmastException.Invalid.class, () -> Job.fromJson(json));

        assertEquals(Optional.of(field), refused.field());
        assertTrue(refused.detail().startsWith(field + " "), refused.detail());
    }

    @Test
    void finerThanMillisecondsIsCutOffAtOnce() {
        RestartPolicy policy = new RestartPolicy(When.NEVER, Duration.ofNanos(1_999_999), Duration.ofSeconds(1), 0);

        Job job = Job.builder().restart(policy).build();

        assertEquals(job, Job.unmarshalBinary(job.marshalBinary()));
        assertFalse(policy.exhaustedBy(1));
    }
}
