// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventParserTest {
    private static final String STREAM = """
            event: progress
            id: 7
            data: {}

            :comment
            id: 8
            event: changes
            data: é
            :
            data: zwei

            retry: 1000
            data

            event: unended
            data: x
            """;

    private static List<ServerEvent> parse(EventParser parser, byte[] bytes) {
        List<ServerEvent> events = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (ServerEvent event = parser.next(buffer); event != null; event = parser.next(buffer)) {
            events.add(event);
        }
        return events;
    }

    private static List<ServerEvent> parse(String text) {
        return parse(new EventParser(1000), text.getBytes(StandardCharsets.UTF_8));
    }

    private static ServerEvent event(String id, String type, String... data) {
        return new ServerEvent(id, type, Arrays.stream(data).map(Payload::of).toList());
    }

    @Test
    void anEventIsWhatABlankLineEnds() {
        assertEquals(
                List.of(event("7", "progress", "{}"), event("8", "changes", "é", "zwei"), event("8", "message", "")),
                parse(STREAM));
    }

    @Test
    void linesEndWithAnyOfTheThree() {
        assertEquals(parse(STREAM), parse(STREAM.replace("\n", "\r\n")));
        assertEquals(parse(STREAM), parse(STREAM.replace("\n", "\r")));
    }

    @Test
    void itDoesNotMatterWhereTheStreamIsCutIntoPieces() {
        for (String text : List.of(STREAM, STREAM.replace("\n", "\r\n"))) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (long seed = 0; seed < 200; seed++) {
                Random random = new Random(seed);
                EventParser parser = new EventParser(1000);
                List<ServerEvent> events = new ArrayList<>();
                for (int from = 0; from < bytes.length; ) {
                    int to = Math.min(bytes.length, from + 1 + random.nextInt(5));
                    events.addAll(parse(parser, Arrays.copyOfRange(bytes, from, to)));
                    from = to;
                }
                assertEquals(parse(STREAM), events, "seed " + seed);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'data:a', a", "'data: a', a", "'data:  a', ' a'", "'data', ''", "'data:', ''", "'data: a:b', a:b"})
    void oneSpaceAfterTheColonIsNotPartOfTheValue(String line, String value) {
        assertEquals(List.of(event("", "message", value)), parse(line + "\n\n"));
    }

    @Test
    void aByteOrderMarkMayComeFirstAndOnlyThere() {
        assertEquals(List.of(event("1", "message", "a")), parse("\ufeffid: 1\ndata: a\n\n"));
        assertEquals(List.of(event("", "message", "a")), parse("\n\n\ufeff:\ndata: a\n\n\ufeffdata: b\n\n"));
    }

    @Test
    void anIdWithANullCharacterIsNone() {
        assertEquals(List.of(event("1", "message", "a")), parse("id: 1\nid: 2\0\ndata: a\n\n"));
    }

    @Test
    void whatHasNoDataIsNoEventAndLeavesNoType() {
        assertEquals(List.of(event("3", "message", "a")), parse("event: x\nid: 3\n\ndata: a\n\n"));
    }

    @Test
    void anEventIsBounded() {
        String fits = "data: " + "x".repeat(94) + "\n";
        assertEquals(
                1,
                parse(new EventParser(100), (fits + "\n").getBytes(StandardCharsets.UTF_8))
                        .size());
        for (String text : List.of(fits.replace("x\n", "xx\n"), fits + "data: x\n", ":".repeat(101))) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThrows(HeadmastException.TooLarge.class, () -> parse(new EventParser(100), bytes));
        }
        EventParser parser = new EventParser(100);
        byte[] bytes = (fits + "\n").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 10; i++) {
            assertEquals(1, parse(parser, bytes).size(), "each for itself");
        }
    }
}
