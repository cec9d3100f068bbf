// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The table of scenario 29: what is no name, everywhere. */
class NamesTest {
    static final List<String> NO_NAMES = List.of(
            "",
            ".",
            "..",
            "/",
            "a/b",
            "/a",
            "a/",
            "../a",
            "%2F",
            "a%2Fb",
            "%2e%2e",
            "a b",
            " a",
            "a ",
            "a\tb",
            "a\nb",
            "a\n",
            "a\0b",
            "\u007f",
            "a\u0080",
            "ä",
            "ａ",
            "日本",
            "🚂",
            "a\u200b",
            "a,b",
            "a=b",
            "a*",
            "a?b",
            "a#b",
            "a\\b",
            "a+b",
            "a;b",
            "a\"b",
            "a'b",
            "a|b",
            "a{b",
            "a".repeat(129));

    static final List<String> NAMES = List.of(
            "a",
            "Z",
            "0",
            "...",
            ".a",
            "a.",
            "..a",
            "-",
            "_",
            "@",
            ":",
            "~",
            "chain@7.service",
            "eu:chains~1",
            "a".repeat(128));

    @ParameterizedTest
    @FieldSource("NO_NAMES")
    void whatIsNoNameIsRefusedAndTheFieldNamed(String text) {
        assertFalse(Names.isValid(text));
        for (String field : List.of("id", "domain")) {
            JsonObject json = new JsonObject();
            json.addProperty("id", "fine");
            json.addProperty(field, text);
            assertEquals(
                    Optional.of(field),
                    assertThrows(HeadmastException.Invalid.class, () -> Job.fromJson(json))
                            .field());
        }
        JobQuery all = JobQuery.ALL;
        assertThrows(HeadmastException.Invalid.class, () -> all.withDomain(text));
        assertThrows(HeadmastException.Invalid.class, () -> all.withWorker(text));
        assertThrows(HeadmastException.Invalid.class, () -> all.from(text));
    }

    @ParameterizedTest
    @FieldSource("NO_NAMES")
    void whatIsNoNameIsNoPartOfAKey(String text) {
        assertEquals(Optional.empty(), Keys.DEFAULT.parse("/headmast/jobs/" + text));
        assertEquals(Optional.empty(), Keys.DEFAULT.parse("/headmast/workers/w-1/jobs/" + text));
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void namesAreTaken(String text) {
        assertTrue(Names.isValid(text));
        assertEquals(text, Job.builder().id(text).domain(text).build().id());
    }
}
