// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.Problem;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Decides what an answer or a failure means for a call. Pure.
 *
 * <p>Only a problem report of headmast's own counts as its word: the 404 of a web server that happens to listen at the
 * address must not pass for a job that doesn't exist.
 */
final class Judge {

    private Judge() {}

    static <T> Outcome<T> answer(Call<T> call, Answer answer) {
        if (answer.isSuccess()) {
            try {
                return new Outcome.Done<>(call.read().apply(answer));
            } catch (HeadmastException.Invalid e) {
                return stranger(call, answer, " (" + e.detail() + ")");
            }
        }
        Optional<HeadmastException> reported = problem(answer);
        return reported.isPresent() ? reported(call, answer, reported.get()) : unreported(call, answer);
    }

    static <T> Outcome<T> failure(Call<T> call, Throwable failure, Duration timeout) {
        if (failure instanceof BoundedBody.TooLargeException e) {
            return Outcome.refused(
                    call.changesSomething()
                            ? call.abandoned("the answer was too large to read")
                            : new HeadmastException.TooLarge(e.detail()));
        }
        if (failure instanceof HttpConnectTimeoutException) {
            return trouble(Outcome.Kind.NOT_SENT, "no connection in time", failure);
        }
        if (failure instanceof ConnectException) {
            boolean unknown = failure.getCause() instanceof UnresolvedAddressException;
            return trouble(Outcome.Kind.NOT_SENT, unknown ? "unknown host" : "no connection", failure);
        }
        if (failure instanceof SSLHandshakeException) {
            return trouble(Outcome.Kind.NOT_SENT, "no TLS connection", failure);
        }
        if (failure instanceof TimeoutException) {
            return trouble(Outcome.Kind.UNKNOWN, "no answer within " + timeout.toMillis() + " ms", failure);
        }
        if (failure instanceof IOException) {
            return trouble(Outcome.Kind.UNKNOWN, "the connection broke", failure);
        }
        return new Outcome.Refused<>(new IllegalStateException("a call failed in an unforeseen way", failure));
    }

    private static <T> Outcome<T> trouble(Outcome.Kind kind, String why, Throwable failure) {
        String message = failure.getMessage();
        boolean told = message == null || message.isBlank() || failure instanceof TimeoutException;
        return Outcome.Trouble.of(kind, told ? why : why + " (" + message + ")", failure);
    }

    private static <T> Outcome<T> reported(Call<T> call, Answer answer, HeadmastException failure) {
        T absent = call.absent();
        if (failure instanceof HeadmastException.NotFound && absent != null) {
            return new Outcome.Done<>(absent);
        }
        if (failure instanceof HeadmastException.Unavailable) {
            return later(Outcome.Kind.BUSY, failure.detail(), answer);
        }
        if (failure instanceof HeadmastException.Indeterminate) {
            return later(Outcome.Kind.UNKNOWN, failure.detail(), answer);
        }
        return Outcome.refused(failure);
    }

    /** Something between the client and headmast has answered, or something else altogether. */
    private static <T> Outcome<T> unreported(Call<T> call, Answer answer) {
        return switch (answer.status()) {
            case 401, 403, 407, 413 ->
                Outcome.refused(HeadmastException.of(
                        "",
                        answer.status() == 407 ? 401 : answer.status(),
                        describe(answer) + " (not headmast's own answer)",
                        null));
            case 408, 429, 503 -> later(Outcome.Kind.BUSY, answer.description(), answer);
            case 500, 502, 504 -> later(Outcome.Kind.UNKNOWN, answer.description(), answer);
            default -> stranger(call, answer, "");
        };
    }

    private static <T> Outcome<T> later(Outcome.Kind kind, String why, Answer answer) {
        return new Outcome.Trouble<>(kind, why, Optional.empty(), answer.retryAfter());
    }

    /** An answer that headmast doesn't give: asking once more would get the same. */
    private static <T> Outcome<T> stranger(Call<T> call, Answer answer, String detail) {
        String redirect = answer.header("Location")
                .filter(location -> answer.status() / 100 == 3)
                .map(location -> "; it points to " + location)
                .orElse("");
        String why = describe(answer) + detail + redirect
                + ". Is that address a headmast server, or is there a proxy between?";
        boolean carriedOut = call.changesSomething() && (answer.isSuccess() || answer.status() >= 500);
        return Outcome.refused(carriedOut ? call.abandoned(why) : new HeadmastException.Unavailable(why));
    }

    private static String describe(Answer answer) {
        return answer.server() + " gave an answer that is not headmast's: " + answer.description();
    }

    private static Optional<HeadmastException> problem(Answer answer) {
        try {
            return Optional.of(Problem.fromJson(answer.json(), answer.status()).toException());
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
