// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.Client;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One address of the cluster and the client that speaks to it.
 *
 * <p>A client that can't connect tries again after pauses that gRPC lengthens to two minutes, and fails every call
 * meanwhile; jetcd has no way to shorten them. After an outage of 90 s it stayed useless for another 28. So a client that
 * has reached nobody for a while is replaced by a new one, which tries at once.
 */
final class Endpoint implements AutoCloseable {
    private static final Duration REPLACE_AFTER = Duration.ofSeconds(1);

    private final int index;
    private final URI uri;
    private final Supplier<Client> factory;
    private final Duration callsEndWithin;

    // Guarded by this.
    private boolean reached = true;
    private long unreachedSince;
    private boolean replacing;
    private boolean closed;

    private volatile Client client;

    /**
     * An endpoint with its first client.
     *
     * @param index its place among the endpoints
     * @param callsEndWithin how long a call may be under way
     */
    Endpoint(int index, URI uri, Supplier<Client> factory, Duration callsEndWithin) {
        this.index = index;
        this.uri = uri;
        this.callsEndWithin = callsEndWithin;
        this.factory = factory;
        this.client = factory.get();
    }

    int index() {
        return index;
    }

    Client client() {
        return client;
    }

    /** A call of this client got as far as a connection. */
    synchronized void wasReached() {
        reached = true;
    }

    /**
     * A call of the given client found no connection.
     *
     * @param used the client that was called, which may have been replaced meanwhile
     */
    synchronized void wasNotReached(Client used) {
        long now = System.nanoTime();
        if (used != client || replacing) {
            return;
        }
        if (reached) {
            reached = false;
            unreachedSince = now;
        }
        if (now - unreachedSince >= REPLACE_AFTER.toNanos()) {
            replacing = true;
            // Elsewhere: this thread belongs to the client that goes, and a client made on it would go with it.
            ForkJoinPool.commonPool().execute(this::replace);
        }
    }

    private void replace() {
        Client next = factory.get();
        Client useless;
        synchronized (this) {
            replacing = false;
            unreachedSince = System.nanoTime();
            boolean keep = closed || reached;
            useless = keep ? next : client;
            client = keep ? client : next;
        }
        // The old one may have connected just now, and calls may be under way there: they get their time.
        CompletableFuture.delayedExecutor(callsEndWithin.toNanos(), TimeUnit.NANOSECONDS)
                .execute(useless::close);
    }

    @Override
    public synchronized void close() {
        closed = true;
        client.close();
    }

    /** The address, for messages. */
    @Override
    public String toString() {
        return uri.toString();
    }
}
