// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.Client;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
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

    // Guarded by this.
    private boolean reached = true;
    private long unreachedSince;
    private boolean closed;

    private volatile Client client;

    Endpoint(int index, URI uri, Supplier<Client> factory) {
        this.index = index;
        this.uri = uri;
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
    void wasNotReached(Client used) {
        Client useless;
        synchronized (this) {
            long now = System.nanoTime();
            if (closed || used != client) {
                return;
            }
            if (reached) {
                reached = false;
                unreachedSince = now;
            }
            if (now - unreachedSince < REPLACE_AFTER.toNanos()) {
                return;
            }
            unreachedSince = now;
            useless = client;
            client = factory.get();
        }
        // Elsewhere: this runs on a thread of the client that is to be closed.
        ForkJoinPool.commonPool().execute(useless::close);
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
