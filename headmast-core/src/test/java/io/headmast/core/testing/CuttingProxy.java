// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A TCP proxy on the loopback interface that fails on demand. It forwards both ways, and can
 *
 * <ul>
 *   <li>cut a connection after a given number of bytes from the server, exactly: the client gets these bytes and then an
 *       orderly end ({@link #cutNextAfter}); {@link #framesOfLast} tells the offsets at which HTTP/2 frames end;
 *   <li>cut every connection now ({@link #cutAll});
 *   <li>hold back what goes in one direction or both, as a network partition does ({@link #hold}), until {@link
 *       #release} delivers it;
 *   <li>delay what goes from the server to the client ({@link #delay});
 *   <li>refuse connections ({@link #refuse}), or {@link #accept} them again.
 * </ul>
 */
public final class CuttingProxy implements AutoCloseable {
    /** Which way bytes go. */
    public enum Direction {
        /** From the client to the server. */
        UP,
        /** From the server to the client. */
        DOWN
    }

    private final InetSocketAddress target;
    private final int port;
    private final ProxyGate gate = new ProxyGate();

    // Guarded by this.
    private final List<ProxyConnection> connections = new ArrayList<>();
    private final List<Long> cuts = new ArrayList<>();
    private ServerSocket server;
    private Thread acceptor;
    private boolean closed;

    private CuttingProxy(InetSocketAddress target) {
        this.target = target;
        this.server = listen(0);
        this.port = server.getLocalPort();
        this.acceptor = startAccepting(server);
    }

    /** A proxy in front of a port of the loopback interface. */
    public static CuttingProxy to(int port) {
        return new CuttingProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** A proxy in front of an etcd. */
    public static CuttingProxy to(EtcdServer etcd) {
        return to(etcd.clientPort());
    }

    /** Where clients connect: {@code http://127.0.0.1:<port>}. */
    public String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /**
     * Cuts the connections to come, each after so many bytes from the server: the first that is accepted from now on
     * after {@code offsets[0]} bytes, the next after {@code offsets[1]}; those beyond live on. Replaces what was asked
     * for before.
     */
    public synchronized void cutNextAfter(long... offsets) {
        cuts.clear();
        for (long offset : offsets) {
            cuts.add(offset);
        }
    }

    /** Cuts every connection that there is; new ones are accepted. */
    public synchronized void cutAll() {
        connections.forEach(ProxyConnection::cut);
    }

    /** Holds back everything that goes these ways; connections stay open. No direction means both. */
    public void hold(Direction... directions) {
        gate.hold(directions.length == 0 ? Direction.values() : directions);
    }

    /** Ends a {@link #hold} and a {@link #delay}: what was held back is delivered. */
    public void release() {
        gate.release();
    }

    /** Lets every piece of data from the server arrive this much later. */
    public void delay(Duration delay) {
        gate.delay(delay);
    }

    /** Refuses new connections, as when nothing listens; those that there are live on. */
    public void refuse() {
        Thread accepting;
        synchronized (this) {
            closeQuietly(server);
            accepting = acceptor;
        }
        // The system listens until the thread that accepts has noticed.
        Processes.awaitEnd(accepting);
    }

    /** Ends {@link #refuse}. */
    public synchronized void accept() {
        if (server.isClosed() && !closed) {
            server = listen(port);
            acceptor = startAccepting(server);
        }
    }

    /** How many connections were accepted so far. */
    public synchronized int accepted() {
        return connections.size();
    }

    /** How many connections are open. */
    public synchronized int open() {
        return (int) connections.stream().filter(ProxyConnection::open).count();
    }

    /** The HTTP/2 frames that the last accepted connection has brought from the server so far, complete ones only. */
    public synchronized List<Http2Frame> framesOfLast() {
        return connections.isEmpty()
                ? List.of()
                : connections.get(connections.size() - 1).frames();
    }

    @Override
    public synchronized void close() {
        closed = true;
        gate.release();
        closeQuietly(server);
        connections.forEach(ProxyConnection::abort);
    }

    private Thread startAccepting(ServerSocket from) {
        var thread = new Thread(() -> acceptAll(from), "proxy-accept");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void acceptAll(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                connect(from.accept());
            } catch (IOException e) {
                // Closed by refuse() or close(), which the condition sees; or a client that went away at once.
                Thread.onSpinWait();
            }
        }
    }

    private void connect(Socket client) throws IOException {
        var upstream = new Socket();
        try {
            upstream.connect(target);
        } catch (IOException e) {
            client.close();
            return;
        }
        synchronized (this) {
            long cutAfter = cuts.isEmpty() ? Long.MAX_VALUE : cuts.remove(0);
            var connection = new ProxyConnection(client, upstream, gate, cutAfter);
            connections.add(connection);
            if (closed) {
                connection.abort();
            } else {
                connection.start();
            }
        }
    }

    private static ServerSocket listen(int port) {
        try {
            var socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void closeQuietly(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
