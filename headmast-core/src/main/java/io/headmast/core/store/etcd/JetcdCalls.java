// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.Client;
import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls: each with a time limit, at the endpoint in use, and at the next ones while time remains and nothing can be
 * applied twice. So a read goes round the endpoints; a write does only until a connection has taken it.
 */
final class JetcdCalls {
    /** What gRPC's own deadline gets before a call is given up that it did not end. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private final Endpoints endpoints;
    private final Duration limit;
    private final Set<Attempt<?, ?>> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    JetcdCalls(Endpoints endpoints, Duration limit) {
        this.endpoints = endpoints;
        this.limit = limit;
    }

    /** A call that changes nothing, or the same when it is made again. */
    <R, T> CompletableFuture<T> read(Function<Client, CompletableFuture<R>> call, Function<R, T> convert) {
        return start(call, convert, false);
    }

    /** A call that must not be made again once it may have been applied. */
    <R, T> CompletableFuture<T> write(Function<Client, CompletableFuture<R>> call, Function<R, T> convert) {
        return start(call, convert, true);
    }

    private <R, T> CompletableFuture<T> start(
            Function<Client, CompletableFuture<R>> call, Function<R, T> convert, boolean write) {
        var attempt = new Attempt<>(call, convert, write);
        underWay.add(attempt);
        if (closed) {
            attempt.fail(new HeadmastException.Unavailable("the store is closed"));
        } else {
            attempt.run();
        }
        return attempt.result;
    }

    /** Fails what is under way: once the clients are closed no answer comes any more. */
    void close() {
        closed = true;
        underWay.forEach(attempt -> attempt.fail(
                attempt.write
                        ? new HeadmastException.Indeterminate("the store was closed before the write was confirmed")
                        : new HeadmastException.Unavailable("the store is closed")));
    }

    private final class Attempt<R, T> {
        private final Function<Client, CompletableFuture<R>> call;
        private final Function<R, T> convert;
        private final boolean write;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final long end = System.nanoTime() + limit.toNanos();
        private int left = endpoints.size();

        Attempt(Function<Client, CompletableFuture<R>> call, Function<R, T> convert, boolean write) {
            this.call = call;
            this.convert = convert;
            this.write = write;
        }

        void run() {
            Endpoint endpoint = endpoints.current();
            Client client = endpoint.client();
            Duration time = timeOfOne();
            left--;
            try {
                var unused = CallGuard.within(time, () -> call.apply(client))
                        .orTimeout(time.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS)
                        .whenComplete((answer, failure) -> done(endpoint, client, answer, failure));
            } catch (RuntimeException e) {
                done(endpoint, client, null, e);
            }
        }

        /** A read leaves time for the other endpoints, since one that is frozen takes all it is given. */
        private Duration timeOfOne() {
            long remaining = Math.max(1, end - System.nanoTime());
            return Duration.ofNanos(write ? remaining : remaining / Math.max(1, left));
        }

        private void done(Endpoint endpoint, Client client, @Nullable R answer, @Nullable Throwable failure) {
            if (failure == null && answer != null) {
                endpoint.wasReached();
                complete(answer);
                return;
            }
            Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure == null ? new HeadmastException.Unavailable("no answer") : failure;
            judge(endpoint, client, cause);
            if (left > 0 && !closed && end - System.nanoTime() > 0 && JetcdErrors.mayTryElsewhere(cause, write)) {
                run();
            } else {
                String where = endpoints.size() > 1 && !write ? endpoints.toString() : endpoint.toString();
                fail(JetcdErrors.translate(cause, write, where));
            }
        }

        private void judge(Endpoint endpoint, Client client, Throwable failure) {
            if (JetcdErrors.neverSent(failure)) {
                endpoint.wasNotReached(client);
            } else {
                endpoint.wasReached();
            }
            if (JetcdErrors.blamesEndpoint(failure)) {
                endpoints.leave(endpoint);
            }
        }

        private void complete(R answer) {
            try {
                T converted = convert.apply(answer);
                underWay.remove(this);
                result.complete(converted);
            } catch (RuntimeException e) {
                fail(e);
            }
        }

        void fail(RuntimeException failure) {
            underWay.remove(this);
            result.completeExceptionally(failure);
        }
    }
}
