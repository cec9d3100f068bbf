// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import io.headmast.server.http.HttpFront;
import io.headmast.server.http.HttpLimits;
import io.headmast.server.rest.RestApi;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
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

    private State state = State.NEW;
    private @Nullable Core core;
    private @Nullable HttpFront front;

    private enum State {
        NEW,
        SERVING,
        CLOSED
    }

    /** A server on the etcd that the options name. */
    public HeadmastService(ServingOptions options) {
        this(options, EtcdCore::open);
    }

    /** A server in front of a core that runs already, and that it closes when it is closed. */
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
     * @throws HeadmastException.Unavailable if the port or the store can't be had; nothing is left behind then
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized void start() {
        if (state != State.NEW) {
            throw new IllegalStateException("a service is started once; this one is " + state);
        }
        HttpFront.Bound bound = bind();
        boolean serving = false;
        try {
            Core opened = factory.open(options, uri(bound.address()));
            core = opened;
            RestApi api = new RestApi(
                    opened.jobs(), opened.workers(), opened.cluster(), options.payloadLimit(), Clock.systemUTC());
            front = bound.start(api.router(), HttpLimits.forPayloads(options.payloadLimit()));
            serving = true;
        } finally {
            if (!serving) {
                bound.close();
                shutDown();
            }
        }
        state = State.SERVING;
        LOG.info("serving server={} address={} policy={}", options.serverId(), address(), options.schedulePolicy());
    }

    /**
     * Starts, unless that was done, and blocks until the service is closed.
     *
     * @throws InterruptedException if the waiting thread is interrupted; the service is closed then, too
     */
    public void run() throws InterruptedException {
        synchronized (this) {
            if (state == State.NEW) {
                start();
            }
        }
        try {
            stopped.await();
        } finally {
            close();
        }
    }

    /**
     * Where it is reached, with the port that was chosen.
     *
     * @throws IllegalStateException if it is not serving
     */
    public synchronized URI address() {
        if (front == null) {
            throw new IllegalStateException("the service is not serving");
        }
        return uri(front.address());
    }

    /** Refuses new requests, lets those under way finish within a bound, and ends what runs behind them. */
    @Override
    public synchronized void close() {
        if (state == State.CLOSED) {
            return;
        }
        boolean served = state == State.SERVING;
        shutDown();
        if (served) {
            LOG.info("stopped server={}", options.serverId());
        }
    }

    private void shutDown() {
        state = State.CLOSED;
        if (front != null) {
            front.close();
            front = null;
        }
        if (core != null) {
            core.close();
            core = null;
        }
        stopped.countDown();
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
                    + e.getMessage() + "); choose another port or host, or end what uses it");
        } catch (IOException e) {
            throw new HeadmastException.Unavailable(
                    "can't listen on " + options.host() + ":" + options.port() + ": " + e.getMessage());
        }
    }

    /** By the name that was configured: what others reach need not be what the system bound. */
    private URI uri(InetSocketAddress bound) {
        try {
            return new URI("http", null, options.host(), bound.getPort(), null, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a host that was bound makes no URI: " + options.host(), e);
        }
    }
}
