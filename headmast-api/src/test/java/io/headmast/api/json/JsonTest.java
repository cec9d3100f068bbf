// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    static final List<String> REFUSED = List.of(
            "",
            " ",
            "{",
            "[",
            "{}}",
            "{} {}",
            "[] x",
            "1 2",
            "{\"a\":1,\"a\":2}",
            "{\"a\":{\"b\":1,\"b\":1}}",
            "{\"a\":1,\"\\u0061\":2}",
            "NaN",
            "[NaN]",
            "Infinity",
            "-Infinity",
            "[1,]",
            "[,1]",
            "[1,,2]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{'a':1}",
            "['a']",
            "\"a",
            "\"a\nb\"",
            "\"a\tb\"",
            "\"\\x\"",
            "\"\\'\"",
            "\"\\u12\"",
            "\"\\\n\"",
            "TRUE",
            "True",
            "nul",
            "Null",
            "01",
            "-01",
            "+1",
            "1.",
            ".1",
            "1e",
            "1e+",
            "0x1",
            "-",
            "// no\n1",
            "/* no */1",
            "#no\n1",
            "[1;2]",
            "{\"a\"=1}",
            "{\"a\"=>1}",
            ")]}'\n1",
            "\u00a01",
            "\"\\ud83d\"",
            "\"\\ude82\"",
            "\"\\ude82\\ud83d\"",
            "{\"\\ud83d\":1}",
            "\"\ud83d\"");

    @ParameterizedTest
    @FieldSource("REFUSED")
    void whatIsNotJsonIsRefused(String text) {
        HeadmastException.Invalid refused = assertThrows(HeadmastException.Invalid.class, () -> Json.parse(text));

        assertTrue(refused.detail().startsWith("not JSON: "), refused.detail());
        assertEquals(1, refused.detail().lines().count(), refused.detail());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "[]",
                "{}",
                "\"\"",
                "0",
                "-0",
                "1.0",
                "1e3",
                "1E+3",
                "9007199254740993",
                "-9223372036854775808",
                "123456789012345678901234567890",
                "0.1000000000000000055511151231257827",
                "1e999999999",
                "{\"\":{\"a\":[1,\"b\",null,false]}}",
                "\"\\u0000\\u001f\\\"\\\\/\"",
                "\"🚂\"",
                "\"<a href='x'>&=</a>\""
            })
    void whatIsReadIsWrittenBackAsItWas(String text) throws IOException {
        StringWriter pieces = new StringWriter();
        Json.write(Json.parse(text), pieces);

        assertEquals(text, Json.write(Json.parse(text)));
        assertEquals(text, pieces.toString());
    }

    /** Those that can be written in UTF-8. */
    static final List<String> REFUSED_BYTES = REFUSED.stream()
            .filter(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text))
            .toList();

    @ParameterizedTest
    @FieldSource("REFUSED_BYTES")
    void whatIsNoJsonIsNoElementOfAnArray(String text) {
        assertThrows(
                HeadmastException.Invalid.class,
                () -> Json.parseArray(("[7," + text + "]").getBytes(StandardCharsets.UTF_8), element -> {}));
    }

    @Test
    void arrayIsReadElementByElement() {
        List<String> elements = new ArrayList<>();
        byte[] array = "[{\"id\":\"ü\"}, 9007199254740993,\n[[]], null]".getBytes(StandardCharsets.UTF_8);

        Json.parseArray(array, element -> elements.add(element.toString()));

        assertEquals(List.of("{\"id\":\"ü\"}", "9007199254740993", "[[]]", "null"), elements);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "7", "[", "[1", "[1,", "[1] 2", "[1][2]"})
    void whatIsNoArrayIsRefusedAsOne(String text) {
        assertThrows(
                HeadmastException.Invalid.class,
                () -> Json.parseArray(text.getBytes(StandardCharsets.UTF_8), element -> {}));
    }

    @Test
    void pairsOfSurrogatesMayBeEscaped() {
        assertEquals("\"🚂\"", Json.write(Json.parse("\"\\ud83d\\ude82\"")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"22ff22", "22c022", "22eda08022", "22f490808022", "22c0af22", "fffe2200"})
    void malformedUtf8IsRefused(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertEquals(
                "not JSON: malformed UTF-8",
                assertThrows(HeadmastException.Invalid.class, () -> Json.parse(bytes))
                        .detail());
    }

    @Test
    void aByteOrderMarkThatAnEditorPutInFrontIsIgnored() {
        assertEquals("1", Json.write(Json.parse("\ufeff1")));
    }

    @Test
    void nestingIsBounded() {
        for (String pair : List.of("[]", "{\"a\":}")) {
            String open = pair.substring(0, pair.length() - 1);
            String close = pair.substring(pair.length() - 1);
            String inner = open.equals("[") ? "" : "1";
            JsonElement deepest = Json.parse(open.repeat(64) + inner + close.repeat(64));
            assertEquals(open.repeat(64) + inner + close.repeat(64), Json.write(deepest));
            assertThrows(HeadmastException.Invalid.class, () -> Json.parse(open.repeat(65) + inner + close.repeat(65)));
            assertThrows(HeadmastException.Invalid.class, () -> Json.parse(open.repeat(1_000_000)));
        }
    }

    @Test
    void onlyAnObjectIsAnObject() {
        for (String text : List.of("[]", "1", "null", "\"{}\"")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThrows(HeadmastException.Invalid.class, () -> Json.parseObject(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e3",
                "1.0",
                "1.5",
                "9223372036854775808",
                "-9223372036854775809",
                "1e999999999",
                "\"1\"",
                "true",
                "[]"
            })
    void whatIsNoWholeNumberOf64BitsIsRefused(String text) {
        HeadmastException.Invalid refused =
                assertThrows(HeadmastException.Invalid.class, () -> field(text).integer("n"));

        assertEquals(Optional.of("n"), refused.field());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 9007199254740993L, Long.MAX_VALUE, Long.MIN_VALUE})
    void wholeNumbersAreExact(long number) {
        assertEquals(Optional.of(number), field(Long.toString(number)).integer("n"));
    }

    @Test
    void numbersAreFinite() {
        assertEquals(Optional.of(0.25), field("0.25").number("n"));
        assertThrows(HeadmastException.Invalid.class, () -> field("1e999999999").number("n"));
        assertThrows(HeadmastException.Invalid.class, () -> field("\"1\"").number("n"));
    }

    @Test
    void theDigitsOfANumberAreBounded() {
        String digits = "9".repeat(1_000);

        assertEquals(digits, Json.write(Json.parse(digits)));
        assertThrows(HeadmastException.Invalid.class, () -> Json.parse("9".repeat(1_000_000)));
    }

    @Test
    void innerErrorsNameTheWholePath() {
        JsonFields inner = new JsonFields(Json.parse("{\"n\":1.5}").getAsJsonObject(), "outer.");

        assertEquals(
                Optional.of("outer.n"),
                assertThrows(HeadmastException.Invalid.class, () -> inner.integer("n"))
                        .field());
    }

    @Test
    void aLongTextIsNotRepeatedInTheError() {
        String name = "n".repeat(100_000);

        HeadmastException.Invalid refused = assertThrows(
                HeadmastException.Invalid.class, () -> Json.parse("{\"" + name + "\":1,\"" + name + "\":1}"));

        assertTrue(refused.detail().length() < 300, refused.detail());
    }

    private static JsonFields field(String number) {
        JsonObject json = Json.parse("{\"n\":" + number + "}").getAsJsonObject();
        return new JsonFields(json);
    }
}
