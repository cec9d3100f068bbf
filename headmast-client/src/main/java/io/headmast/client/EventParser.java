// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a stream of server-sent events apart, in whatever pieces it comes: lines end with CR, LF or both, a blank one
 * ends an event, and what is not ended is none (as the HTML standard defines it). The stream's wish about when to come
 * back is left to the client's own rules. Not thread-safe.
 */
final class EventParser {
    private static final String DEFAULT_TYPE = "message";
    /** What may stand before the first line, in UTF-8. */
    private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final int limit;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final List<Payload> data = new ArrayList<>();
    private long held;
    private String type = "";
    private String id = "";
    private boolean afterReturn;
    private boolean first = true;

    /** @param limit the most bytes that an event may have */
    EventParser(int limit) {
        this.limit = limit;
    }

    /**
     * Reads up to the end of the next event.
     *
     * @return the event, or null when the bytes end before it does
     * @throws HeadmastException.TooLarge if it is larger than the limit
     */
    @Nullable
    ServerEvent next(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte each = bytes.get();
            boolean secondOfTwo = afterReturn && each == '\n';
            afterReturn = each == '\r';
            if (secondOfTwo) {
                continue;
            }
            if (each != '\n' && each != '\r') {
                take(each);
            } else if (line.size() > 0) {
                field(line.toByteArray());
                line.reset();
            } else if (!data.isEmpty()) {
                return end();
            } else {
                type = "";
            }
        }
        return null;
    }

    private void take(byte each) {
        if (held + line.size() >= limit) {
            throw new HeadmastException.TooLarge("what a watch tells of one revision exceeds " + limit
                    + " bytes; watch without payloads, or fewer jobs");
        }
        line.write(each);
    }

    private ServerEvent end() {
        ServerEvent event = new ServerEvent(id, type.isEmpty() ? DEFAULT_TYPE : type, List.copyOf(data));
        data.clear();
        held = 0;
        type = "";
        return event;
    }

    private void field(byte[] bytes) {
        int start = first && startsWithMark(bytes) ? MARK.length : 0;
        first = false;
        int colon = start;
        while (colon < bytes.length && bytes[colon] != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, bytes.length);
        if (value < bytes.length && bytes[value] == ' ') {
            value++;
        }
        String name = new String(bytes, start, colon - start, StandardCharsets.UTF_8);
        if (name.equals("data")) {
            data.add(Payload.wrap(Arrays.copyOfRange(bytes, value, bytes.length)));
            held += bytes.length;
            return;
        }
        String text = new String(bytes, value, bytes.length - value, StandardCharsets.UTF_8);
        switch (name) {
            case "event" -> type = text;
            case "id" -> id = text.indexOf('\0') < 0 ? text : id;
            default -> {
                // A comment, which has no name; the time to wait; or something of the future.
            }
        }
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= MARK.length && Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length);
    }
}
