// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientOptionsTest {
    @Test
    void withoutAnythingTheServerIsOnThisMachine() {
        ClientOptions options = ClientOptions.fromEnvironment(Map.of());

        assertEquals(ClientOptions.builder().build(), options);
        assertEquals(List.of(URI.create("http://127.0.0.1:4430")), options.servers());
        assertEquals(Optional.empty(), options.token());
        assertEquals(options, ClientOptions.fromEnvironment(Map.of("HEADMAST_SERVER", " ", "HEADMAST_TOKEN", "")));
    }

    @Test
    void theEnvironmentCountsWhenItIsAsked() {
        ClientOptions options = ClientOptions.fromEnvironment(
                Map.of("HEADMAST_SERVER", "a:4430, https://b/team/,a:4430", "HEADMAST_TOKEN", "s3cret"));

        assertEquals(List.of(URI.create("http://a:4430"), URI.create("https://b/team")), options.servers());
        assertEquals(Optional.of("s3cret"), options.token());
        assertFalse(options.toString().contains("s3cret"), options.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ftp://a",
                "http://",
                "http:///x",
                "http://a?x=1",
                "http://a#x",
                "http://u:p@a",
                "http://a b",
                "a:b:c",
                "http://a,,http://b",
                "http://a_b c"
            })
    void whatIsNoServerIsRefused(String servers) {
        ClientOptions.Builder options = ClientOptions.builder();
        assertEquals(
                Optional.of("servers"),
                assertThrows(
                                HeadmastException.Invalid.class,
                                () -> options.servers(servers.split(",")).build())
                        .field());
    }

    @Test
    void limitsAreChecked() {
        refused("servers", ClientOptions.builder().servers(List.of()));
        refused("token", ClientOptions.builder().token("a\r\nHost: b"));
        refused("token", ClientOptions.builder().token(""));
        refused("connectTimeout", ClientOptions.builder().connectTimeout(Duration.ZERO));
        refused("requestTimeout", ClientOptions.builder().requestTimeout(Duration.ofDays(1)));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, PT0.1S",
        "2, 0, PT0.2S",
        "3, 0, PT0.4S",
        "5, 0, PT1.6S",
        "6, 0, PT2S",
        "99, 0, PT2S",
        "1, 1, PT0.05S",
        "6, 1, PT1S",
        "6, 0.5, PT1.5S"
    })
    void pausesDoubleWithinTheirBoundAndAreJittered(int round, double random, Duration pause) {
        assertEquals(pause, Retries.DEFAULT.pauseAfter(round, random));
    }

    @Test
    void retriesAreBounded() {
        assertThrows(HeadmastException.Invalid.class, () -> new Retries(0, Duration.ZERO, Duration.ZERO));
        assertThrows(HeadmastException.Invalid.class, () -> new Retries(101, Duration.ZERO, Duration.ZERO));
        assertThrows(
                HeadmastException.Invalid.class, () -> new Retries(1, Duration.ofSeconds(2), Duration.ofSeconds(1)));
        assertThrows(HeadmastException.Invalid.class, () -> new Retries(1, Duration.ofSeconds(-2), Duration.ZERO));
    }

    private static void refused(String field, ClientOptions.Builder options) {
        assertEquals(
                Optional.of(field),
                assertThrows(HeadmastException.Invalid.class, options::build).field());
    }
}
