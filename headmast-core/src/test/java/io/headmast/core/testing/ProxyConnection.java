// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.testing.CuttingProxy.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;

/** One connection through a {@link CuttingProxy}: two sockets and a thread for each direction. */
final class ProxyConnection {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Socket client;
    private final Socket upstream;
    private final ProxyGate gate;
    private final long cutAfter;
    private final Http2Frame.Parser frames = new Http2Frame.Parser();
    private volatile boolean cut;

    ProxyConnection(Socket client, Socket upstream, ProxyGate gate, long cutAfter) {
        this.client = client;
        this.upstream = upstream;
        this.gate = gate;
        this.cutAfter = cutAfter;
    }

    void start() {
        startThread("proxy-up", this::pumpUp);
        startThread("proxy-down", this::pumpDown);
    }

    boolean open() {
        return !cut && !client.isClosed();
    }

    List<Http2Frame> frames() {
        synchronized (frames) {
            return frames.complete();
        }
    }

    /**
     * Ends the connection in order towards the client. What the client still sends is read and dropped: unread bytes
     * would turn the end into a reset, and a reset may take from the client what was sent to it before.
     */
    void cut() {
        cut = true;
        quietly(client::shutdownOutput);
        quietly(upstream::close);
    }

    /** Ends the connection at once. */
    void abort() {
        cut = true;
        quietly(client::close);
        quietly(upstream::close);
    }

    private void pumpUp() throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream from = client.getInputStream();
        OutputStream to = upstream.getOutputStream();
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            gate.pass(Direction.UP);
            if (!cut) {
                to.write(buffer, 0, read);
            }
        }
        abort();
    }

    private void pumpDown() throws IOException, InterruptedException {
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream from = upstream.getInputStream();
        OutputStream to = client.getOutputStream();
        long left = cutAfter;
        while (left > 0) {
            int read = from.read(buffer);
            if (read < 0) {
                break;
            }
            gate.pass(Direction.DOWN);
            if (cut) {
                return;
            }
            int forwarded = (int) Math.min(read, left);
            to.write(buffer, 0, forwarded);
            left -= forwarded;
            synchronized (frames) {
                frames.accept(buffer, forwarded);
            }
        }
        cut();
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private void startThread(String name, Step step) {
        var thread = new Thread(() -> quietly(step), name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A failure of one socket ends the other, except after a cut, which ends by itself. */
    private void quietly(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            if (!cut) {
                abort();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
