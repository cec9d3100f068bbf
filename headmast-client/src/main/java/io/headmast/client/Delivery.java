// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way: attempt after attempt, round after round, until it is carried out, refused, or given up. The
 * attempts follow one another, so its fields need no lock; each is handed over by the future before it.
 */
final class Delivery<T> {
    private final Call<T> call;
    private final Transport transport;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Map<URI, String> troubles = new LinkedHashMap<>();
    private List<URI> round;
    private int roundsDone;
    private int next;
    private boolean unknown;
    private volatile @Nullable CompletableFuture<?> pending;

    Delivery(Call<T> call, Transport transport) {
        this.call = call;
        this.transport = transport;
        this.round = transport.servers().round();
        Continuations.onSettled(result, (value, failure) -> giveUpPending());
    }

    CompletableFuture<T> result() {
        return result;
    }

    /** Ends it from outside, on any thread. */
    void giveUp(String why) {
        result.completeExceptionally(call.abandoned(why));
    }

    void attempt() {
        URI server = round.get(next++);
        CompletableFuture<Answer> answer;
        try {
            answer = transport.wire().exchange(server, call.request());
        } catch (RuntimeException e) {
            result.completeExceptionally(new IllegalStateException("a call could not be sent", e));
            return;
        }
        hold(answer);
        Continuations.onSettled(answer, (given, failure) -> {
            try {
                settle(
                        server,
                        failure == null
                                ? Judge.answer(call, given)
                                : Judge.failure(
                                        call, failure, transport.options().requestTimeout()));
            } catch (RuntimeException e) {
                result.completeExceptionally(new IllegalStateException("a call failed in an unforeseen way", e));
            }
        });
    }

    private void settle(URI server, Outcome<T> outcome) {
        if (result.isDone()) {
            return;
        }
        if (outcome instanceof Outcome.Trouble<T> trouble) {
            unknown |= trouble.kind() == Outcome.Kind.UNKNOWN && call.changesSomething();
            troubles.put(server, trouble.why());
            goOn(trouble);
            return;
        }
        transport.servers().answered(server);
        if (outcome instanceof Outcome.Done<T> done) {
            result.complete(done.value());
        } else if (outcome instanceof Outcome.Refused<T> refused) {
            result.completeExceptionally(afterAll(refused.failure()));
        }
    }

    private void goOn(Outcome.Trouble<T> trouble) {
        boolean mayRepeat = trouble.kind() == Outcome.Kind.NOT_SENT || call.repeat() != Repeat.ONCE;
        if (!mayRepeat) {
            fail(trouble);
        } else if (next < round.size()) {
            attempt();
        } else if (++roundsDone < transport.options().retries().rounds()) {
            CompletableFuture<Void> pause = transport.pauses().pause(pauseAfter(trouble));
            hold(pause);
            Continuations.onSettled(pause, (nothing, cancelled) -> {
                if (cancelled == null) {
                    startRound();
                }
            });
        } else {
            fail(trouble);
        }
    }

    private void startRound() {
        round = transport.servers().round();
        next = 0;
        attempt();
    }

    private Duration pauseAfter(Outcome.Trouble<T> trouble) {
        Retries retries = transport.options().retries();
        return trouble.retryAfter()
                .map(retries::atMost)
                .orElseGet(
                        () -> retries.pauseAfter(roundsDone, transport.pauses().random()));
    }

    /**
     * A refusal after an attempt with an unknown outcome may be the echo of that attempt: the job that exists already
     * may be the one it created, the revision that doesn't match any more the one it replaced.
     */
    private RuntimeException afterAll(RuntimeException refusal) {
        boolean echo = refusal instanceof HeadmastException.AlreadyExists
                || refusal instanceof HeadmastException.PreconditionFailed
                || refusal instanceof HeadmastException.Conflict;
        return unknown && echo ? indeterminate(" then: " + refusal.getMessage(), Optional.of(refusal)) : refusal;
    }

    private void fail(Outcome.Trouble<T> trouble) {
        result.completeExceptionally(unknown ? indeterminate("", trouble.cause()) : unavailable(trouble));
    }

    private HeadmastException indeterminate(String more, Optional<? extends Throwable> cause) {
        return caused(
                new HeadmastException.Indeterminate(call.request()
                        + " may or may not have been carried out; read before trying again. " + tried() + more),
                cause);
    }

    private HeadmastException unavailable(Outcome.Trouble<T> trouble) {
        return caused(
                new HeadmastException.Unavailable(call.request() + " was not carried out. " + tried()
                        + ". Check that the servers run, and that their addresses are right ("
                        + ClientOptions.SERVER_VARIABLE + ", --server, or the client's options)"),
                trouble.cause());
    }

    private String tried() {
        return troubles.entrySet().stream()
                .map(trouble -> trouble.getKey() + ": " + trouble.getValue())
                .collect(Collectors.joining("; ", "Tried ", ""));
    }

    private static HeadmastException caused(HeadmastException failure, Optional<? extends Throwable> cause) {
        cause.ifPresent(failure::initCause);
        return failure;
    }

    /** Remembers what must be given up when the caller gives up; the caller may have done so meanwhile. */
    private void hold(CompletableFuture<?> step) {
        pending = step;
        if (result.isDone()) {
            giveUpPending();
        }
    }

    private void giveUpPending() {
        CompletableFuture<?> step = pending;
        if (step != null) {
            step.cancel(true);
        }
    }
}
