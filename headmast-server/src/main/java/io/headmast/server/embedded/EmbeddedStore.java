// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.headmast.api.HeadmastException;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.AutoCompaction;
import io.headmast.core.store.memory.EmbeddedEngine;
import io.headmast.core.store.memory.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in this process that any client of etcd 3.4 reaches on the loopback interface, and nobody from another machine.
 * It serves from its start until it is closed. All methods may be called from any thread.
 */
public final class EmbeddedStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStore.class);

    /** etcd's own pace. */
    private static final Duration PROGRESS_INTERVAL = Duration.ofMinutes(10);

    /** etcd ends connections that send pings more often. */
    private static final Duration MIN_PING_INTERVAL = Duration.ofSeconds(5);

    /** What is refused in etcd's words has to get in; what is larger yet is refused in gRPC's. */
    private static final int MAX_INBOUND_BYTES = 16 * Calls.MAX_MESSAGE_BYTES;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final ThreadLoop loop;
    private final EmbeddedEngine engine;
    private final WatchFace watches;
    private final AutoCompaction compaction;
    private final Server server;

    private EmbeddedStore(int port) {
        loop = new ThreadLoop("headmast-store");
        engine = new EmbeddedEngine(loop, Journal.NONE, Optional.empty());
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Identity identity = new Identity(random.nextLong(1, Long.MAX_VALUE), random.nextLong(1, Long.MAX_VALUE));
        watches = new WatchFace(engine, identity);
        compaction = new AutoCompaction(loop, new EngineHistory(engine), AutoCompaction.Keep.DEFAULT);
        server = server(port, identity);
    }

    /**
     * Starts a store that forgets everything when it is closed. Of its history it keeps 10 minutes or 10,000 revisions,
     * whichever is more.
     *
     * @param port 0 for any that is free
     * @throws HeadmastException.Unavailable if the port can't be had; nothing is left behind then
     */
    public static EmbeddedStore inMemory(int port) {
        EmbeddedStore store = new EmbeddedStore(port);
        try {
            store.server.start();
        } catch (IOException e) {
            store.close();
            throw new HeadmastException.Unavailable("can't listen on 127.0.0.1:" + port + " (" + reason(e)
                    + "); choose another port (--etcd-port), or end what uses it");
        }
        store.loop.execute(store.compaction::start);
        store.loop.schedule(PROGRESS_INTERVAL, store::reportProgress);
        LOG.info("store serves endpoint={} kept=memory", store.endpoint());
        return store;
    }

    /** Where clients reach it: {@code http://127.0.0.1:<port>}. */
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    /** Refuses what comes from now on, and ends the streams and the engine. */
    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        loop.execute(compaction::close);
        engine.close();
        loop.close();
    }

    private Server server(int port, Identity identity) {
        Calls calls = new Calls();
        ServerServiceDefinition leases =
                new LeaseList(engine, identity).addTo(new LeaseFace(engine, identity, calls).bindService());
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                // No handler blocks: they hand over to the engine's loop.
                .directExecutor()
                .maxInboundMessageSize(MAX_INBOUND_BYTES)
                .permitKeepAliveTime(MIN_PING_INTERVAL.toNanos(), TimeUnit.NANOSECONDS)
                .addService(new KvFace(engine, identity, calls))
                .addService(leases)
                .addService(watches)
                .addService(new MaintenanceFace(engine, identity, calls))
                .addService(new ClusterFace(engine, identity, calls, this::endpoint))
                .build();
    }

    private void reportProgress() {
        watches.reportProgress();
        loop.schedule(PROGRESS_INTERVAL, this::reportProgress);
    }

    private static String reason(IOException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage());
    }

    /** An engine's own history, for its compaction. */
    private record EngineHistory(EmbeddedEngine engine) implements AutoCompaction.History {
        @Override
        public CompletableFuture<Long> revision() {
            return engine.revision();
        }

        @Override
        public CompletableFuture<?> compact(long revision) {
            return engine.compact(revision);
        }
    }
}
