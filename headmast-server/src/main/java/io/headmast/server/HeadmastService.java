// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValueStore;
import io.headmast.server.http.HttpFront;
import io.headmast.server.http.HttpLimits;
import io.headmast.server.rest.RestApi;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server: it answers the REST interface, and takes part in scheduling. The seed's {@code HeadmastService}. Any number
 * may run on one store, also within one process.
 *
 * <p>Nothing happens before {@link #start()}. All methods may be called from any thread. A service that was closed is
 * not started again.
 */
public final class HeadmastService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeadmastService.class);

    private final ServingOptions options;
    private final Core.Factory factory;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

    // Written by the thread that starts, read by the one that closes; the state is in between.
    private volatile @Nullable Core core;
    private volatile @Nullable HttpFront front;

    private enum State {
        NEW,
        STARTING,
        SERVING,
        CLOSED
    }

    /** A server on the etcd that the options name. */
    public HeadmastService(ServingOptions options) {
        this(options, StoreCore::onEtcd);
    }

    /**
     * A server on a store that the caller has, such as one in memory that the workers of a test share. The store is not
     * closed with the server; the options' endpoints are not used.
     */
    public static HeadmastService on(ServingOptions options, KeyValueStore store) {
        return new HeadmastService(options, (same, address) -> StoreCore.on(store, same, address));
    }

    /** A server in front of a core that runs already; once started, it closes the core with itself. */
    HeadmastService(ServingOptions options, Core core) {
        this(options, (sameOptions, address) -> core);
    }

    HeadmastService(ServingOptions options, Core.Factory factory) {
        this.options = options;
        this.factory = factory;
    }

    /**
     * Takes the port, connects to the store, and serves; returns once it does.
     *
     * @throws HeadmastException.Unavailable if the port or the store can't be had; the service is closed then, and
     *     leaves nothing behind
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        if (!state.compareAndSet(State.NEW, State.STARTING)) {
            throw new IllegalStateException("a service is started once; this one is " + state);
        }
        boolean serving = false;
        try {
            serve();
            serving = state.compareAndSet(State.STARTING, State.SERVING);
        } finally {
            if (!serving) {
                state.set(State.CLOSED);
                release();
            }
        }
        if (!serving) {
            throw new HeadmastException.Unavailable("the service was closed while it was starting");
        }
        LOG.info("serving server={} address={} policy={}", options.serverId(), address(), options.schedulePolicy());
    }

    /**
     * Starts, unless that was done, and blocks until the service is closed.
     *
     * @throws InterruptedException if the waiting thread is interrupted; the service is closed then, too
     */
    public void run() throws InterruptedException {
        if (state.get() == State.NEW) {
            start();
        }
        try {
            stopped.await();
        } finally {
            close();
        }
    }

    /** Whether it was started and not closed yet. */
    public boolean isServing() {
        return state.get() == State.SERVING;
    }

    /**
     * Where it is reached, with the port that was chosen.
     *
     * @throws IllegalStateException if it is not serving
     */
    public URI address() {
        HttpFront serving = front;
        if (serving == null) {
            throw new IllegalStateException("the service is not serving");
        }
        return uri(serving.address());
    }

    /**
     * Refuses new requests, ends the watches, lets requests under way finish within a bound, and ends what runs behind
     * them. Another call
     * returns at once; {@link #run()} returns when all has ended.
     */
    @Override
    public void close() {
        switch (state.getAndSet(State.CLOSED)) {
            case NEW -> stopped.countDown();
            case STARTING, CLOSED -> {
                // Whoever is at it cleans up.
            }
            case SERVING -> {
                release();
                LOG.info("stopped server={}", options.serverId());
            }
        }
    }

    private void release() {
        HttpFront serving = front;
        if (serving != null) {
            serving.close();
        }
        Core opened = core;
        if (opened != null) {
            opened.close();
        }
        stopped.countDown();
    }

    private void serve() {
        HttpFront.Bound bound = bind();
        try {
            Core opened = factory.open(options, uri(bound.address()));
            core = opened;
            RestApi api = new RestApi(
                    opened.jobs(),
                    opened.workers(),
                    opened.cluster(),
                    opened.feed(),
                    options.payloadLimit(),
                    Clock.systemUTC());
            front = bound.start(api.router(), HttpLimits.forPayloads(options.payloadLimit()));
        } finally {
            if (front == null) {
                bound.close();
            }
        }
    }

    private HttpFront.Bound bind() {
        InetSocketAddress address = new InetSocketAddress(options.host(), options.port());
        if (address.isUnresolved()) {
            throw new HeadmastException.Invalid("host", "is not known on this machine: " + options.host());
        }
        try {
            return HttpFront.bind(address);
        } catch (BindException e) {
            throw new HeadmastException.Unavailable("can't listen on " + options.host() + ":" + options.port() + " ("
                    + e.getMessage() + "); choose another port (--port), or end what uses it");
        } catch (IOException e) {
            throw new HeadmastException.Unavailable(
                    "can't listen on " + options.host() + ":" + options.port() + " (" + e.getMessage() + ")");
        }
    }

    /** By the name that was configured, which others know; a server on every address is known by its host's name. */
    private URI uri(InetSocketAddress bound) {
        try {
            String host = bound.getAddress().isAnyLocalAddress() ? ownName() : options.host();
            return new URI("http", null, host, bound.getPort(), null, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a host that was bound makes no URI: " + options.host(), e);
        }
    }

    private String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return options.host();
        }
    }
}
