// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server: bound by {@link #bind}, serving from {@link Bound#start} on. Between the two, connections wait; so what
 * it serves can be built knowing the address.
 */
public final class HttpFront implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

    /** How long {@link #close()} waits for requests that are under way. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    /** New connections that the system holds for us; the default of 50 makes a burst wait for a second. */
    private static final int BACKLOG = HttpLimits.MAX_CONNECTIONS;

    private static final int SPARE_THREADS = 16;

    /** Most threads wait for a client or for something to tell it, and none recurses deeply: JSON is 64 deep at most. */
    private static final long STACK_BYTES = 512 * 1024;

    private static final long IDLE_THREAD_SECONDS = 30;

    private final HttpServer server;
    private final RequestHandler handler;
    private final ExecutorService threads;

    private HttpFront(HttpServer server, RequestHandler handler, ExecutorService threads) {
        this.server = server;
        this.handler = handler;
        this.threads = threads;
    }

    /** A server socket that is not served yet. */
    public static final class Bound implements AutoCloseable {
        private final HttpServer server;

        private Bound(HttpServer server) {
            this.server = server;
        }

        /** With the port that was chosen, where any was asked for. */
        public InetSocketAddress address() {
            return server.getAddress();
        }

        /** Serves from now on; afterwards the front is to be closed, not this. */
        public HttpFront start(Router router, HttpLimits limits) {
            RequestHandler handler = new RequestHandler(router, limits);
            ExecutorService threads = threads();
            server.createContext("/", handler);
            server.setExecutor(threads);
            server.start();
            return new HttpFront(server, handler, threads);
        }

        /** Gives the port back. */
        @Override
        public void close() {
            // The system gives a port back when the selector lets go of it, which only the server's own thread does.
            server.setExecutor(task -> {
                throw new RejectedExecutionException("the server is not served");
            });
            server.start();
            server.stop(0);
        }
    }

    /** @throws IOException if the address can't be had, a {@link java.net.BindException} if it is taken */
    public static Bound bind(InetSocketAddress address) throws IOException {
        HttpLimits.applyToPlatform();
        return new Bound(HttpServer.create(address, BACKLOG));
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** How many requests are under way. */
    int underWay() {
        return handler.underWay();
    }

    /** How many streams are open. */
    int openStreams() {
        return handler.openStreams();
    }

    /** Refuses new requests, ends the streams, lets requests under way finish within a bound, and ends every thread. */
    @Override
    public void close() {
        try {
            if (!handler.finish(CLOSE_LIMIT)) {
                LOG.warn("requests are cut off underWay={} limit={}", handler.underWay(), CLOSE_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
        handler.close();
    }

    private static ExecutorService threads() {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                HttpLimits.MAX_CONNECTIONS + SPARE_THREADS,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> {
                    Thread thread = new Thread(null, task, "http-" + count.incrementAndGet(), STACK_BYTES);
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
