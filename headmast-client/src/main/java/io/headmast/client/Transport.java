// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.JobPath;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Brings calls to a server and their results back: fails over, repeats, and gives up in the end. Thread-safe. */
final class Transport implements AutoCloseable {
    private final ClientOptions options;
    private final Pauses pauses;
    private final Servers servers;
    private final Wire wire;
    private final Set<Delivery<?>> underWay = ConcurrentHashMap.newKeySet();
    private final Set<WatchLoop> watches = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Transport(ClientOptions options, Pauses pauses, int maxAnswer) {
        this.options = options;
        this.pauses = pauses;
        this.servers = new Servers(options.servers());
        this.wire = new Wire(options, maxAnswer);
    }

    /** Completes on one of the wire's threads; cancelling it gives the call up. */
    <T> CompletableFuture<T> send(Call<T> call) {
        Delivery<T> delivery = new Delivery<>(call, this);
        CompletableFuture<T> result = delivery.result();
        underWay.add(delivery);
        Continuations.onSettled(result, (value, failure) -> underWay.remove(delivery));
        // After the call has been noted, so that a close at the same time either sees it or is seen here.
        if (closed) {
            result.completeExceptionally(new IllegalStateException("the client is closed"));
        } else {
            delivery.attempt();
        }
        return result;
    }

    /** Completes when the watch stands, on its thread; cancelling it ends the watch. */
    CompletableFuture<JobWatch> watch(JobPath path, WatchOptions options, WatchPathHandler handler) {
        WatchLoop loop = new WatchLoop(this, path, options, handler);
        watches.add(loop);
        Continuations.onSettled(loop.ended(), (nothing, failure) -> watches.remove(loop));
        Continuations.onSettled(loop.standing(), (watch, failure) -> {
            if (loop.standing().isCancelled()) {
                loop.close();
            }
        });
        // After it has been noted, so that a close at the same time either sees it or is seen here.
        if (closed) {
            loop.close();
        }
        Thread thread = new Thread(loop, "headmast-watch-" + path.text());
        thread.setDaemon(true);
        thread.start();
        return loop.standing();
    }

    ClientOptions options() {
        return options;
    }

    Pauses pauses() {
        return pauses;
    }

    Servers servers() {
        return servers;
    }

    Wire wire() {
        return wire;
    }

    /** Gives up what is under way, and ends the watches. */
    @Override
    public void close() {
        closed = true;
        watches.forEach(WatchLoop::close);
        underWay.forEach(delivery -> delivery.giveUp("the client was closed before the answer came"));
        wire.close();
    }
}
