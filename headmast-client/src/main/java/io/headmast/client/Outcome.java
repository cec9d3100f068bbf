// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.Optional;

/** What one attempt of a call came to. */
sealed interface Outcome<T> {
    /** It was carried out. */
    record Done<T>(T value) implements Outcome<T> {}

    /** It ends here: a server has said no, or asking again can't help. */
    record Refused<T>(RuntimeException failure) implements Outcome<T> {}

    /**
     * It met trouble on its way; another attempt may fare better.
     *
     * @param kind what is known about the request
     * @param why for people
     * @param cause the failure beneath, where there is one
     * @param retryAfter how long the server asked to wait
     */
    record Trouble<T>(Kind kind, String why, Optional<Throwable> cause, Optional<Duration> retryAfter)
            implements Outcome<T> {
        static <T> Trouble<T> of(Kind kind, String why, Throwable cause) {
            return new Trouble<>(kind, why, Optional.of(cause), Optional.empty());
        }
    }

    /** What is known about a request that met trouble. */
    enum Kind {
        /** No connection was established, so no server has seen it. */
        NOT_SENT,
        /** A server has said that it didn't carry it out, for now. */
        BUSY,
        /** It was sent, and nobody knows what became of it. */
        UNKNOWN
    }

    /** A failure that ends the call. */
    static <T> Outcome<T> refused(HeadmastException failure) {
        return new Refused<>(failure);
    }
}
