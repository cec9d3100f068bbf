// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * A frame of HTTP/2.
 *
 * @param type its type by RFC 9113: 0 is DATA, 1 HEADERS, 3 RST_STREAM, 4 SETTINGS, 6 PING, 7 GOAWAY, 8 WINDOW_UPDATE
 * @param stream the stream it belongs to, 0 for the connection
 * @param end the offset behind it, counted from the beginning of the connection
 */
public record Http2Frame(int type, int stream, long end) {
    /** Finds the frames in what a server sends, however the bytes are cut into pieces. */
    static final class Parser {
        private static final int HEADER_BYTES = 9;

        private final byte[] header = new byte[HEADER_BYTES];
        private final List<Http2Frame> complete = new ArrayList<>();
        private int headerBytes;
        private int payloadLeft;
        private long offset;

        /** Takes the next bytes. */
        void accept(byte[] bytes, int length) {
            int at = 0;
            while (at < length) {
                if (headerBytes < HEADER_BYTES) {
                    header[headerBytes++] = bytes[at++];
                    offset++;
                    if (headerBytes < HEADER_BYTES) {
                        continue;
                    }
                    payloadLeft = unsigned(0) << 16 | unsigned(1) << 8 | unsigned(2);
                } else {
                    int taken = Math.min(payloadLeft, length - at);
                    at += taken;
                    offset += taken;
                    payloadLeft -= taken;
                }
                if (payloadLeft == 0) {
                    complete.add(new Http2Frame(unsigned(3), stream(), offset));
                    headerBytes = 0;
                }
            }
        }

        List<Http2Frame> complete() {
            return List.copyOf(complete);
        }

        private int stream() {
            return (unsigned(5) & 0x7f) << 24 | unsigned(6) << 16 | unsigned(7) << 8 | unsigned(8);
        }

        private int unsigned(int index) {
            return header[index] & 0xff;
        }
    }
}
