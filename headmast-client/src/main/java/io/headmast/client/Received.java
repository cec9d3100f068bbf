// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.util.Optional;

/** The body of an answer: all of its bytes, or a stream that goes on. */
final class Received {
    private final byte[] bytes;
    private final Optional<EventStream> stream;

    private Received(byte[] bytes, Optional<EventStream> stream) {
        this.bytes = bytes;
        this.stream = stream;
    }

    static Received of(byte[] bytes) {
        return new Received(bytes, Optional.empty());
    }

    static Received of(EventStream stream) {
        return new Received(new byte[0], Optional.of(stream));
    }

    /** Empty if it is a stream. */
    byte[] bytes() {
        return bytes;
    }

    Optional<EventStream> stream() {
        return stream;
    }

    /** Nobody will read it. */
    void discard() {
        stream.ifPresent(EventStream::close);
    }
}
