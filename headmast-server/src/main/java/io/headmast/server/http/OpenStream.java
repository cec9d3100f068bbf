// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream, from the moment that it has its place. It runs on the thread of its connection: the JDK's server forgets a
 * connection that broke only when its own thread brings the failure back, and counts it as open for ever otherwise.
 */
final class OpenStream {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStream.class);

    private final Streams streams;
    private final String path;
    private final Response response;
    private final StreamBody body;

    /** Since when a write is going on, or 0. */
    private volatile long writingSince;

    /** The thread that may be interrupted, while it may be. */
    private @Nullable Thread writer;

    private boolean cut;

    OpenStream(Streams streams, String path, Response response, StreamBody body) {
        this.streams = streams;
        this.path = LogText.quoted(path);
        this.response = response;
        this.body = body;
    }

    /**
     * Answers with the stream; returns when it has ended, and its place is free again.
     *
     * @throws IOException if the reader is gone or was cut off
     */
    void run(HttpExchange exchange) throws IOException {
        try {
            enter();
            ResponseWriter.setHeaders(exchange, response);
            // The reader sees the end of the stream by it, and the JDK's server doesn't keep what may be broken.
            exchange.getResponseHeaders().set("Connection", "close");
            writing(() -> exchange.sendResponseHeaders(response.status(), 0));
            OutputStream out = new WatchedOutput(exchange.getResponseBody());
            body.writeTo(out);
            out.close();
        } catch (InterruptedException e) {
            // The interrupt was meant for this stream, and the thread serves others after it.
            throw new IOException("the stream was cut off", e);
        } catch (RuntimeException | Error e) {
            LOG.error("stream failed path={}", path, e);
            throw new IOException("the stream failed", e);
        } finally {
            try {
                body.close();
            } finally {
                leave();
            }
        }
    }

    /** Lets it say its last words. */
    void end() {
        body.close();
    }

    /**
     * Ends it at once, also in a write that blocks. Closing the exchange would not do: that waits for the lock which the
     * blocked write holds. An interrupt closes the channel.
     */
    synchronized void cut() {
        cut = true;
        if (writer != null) {
            writer.interrupt();
        }
    }

    /** Whether one write has been going on for longer than that. */
    boolean isStuck(long limitNanos) {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since > limitNanos;
    }

    private synchronized void enter() throws IOException {
        if (cut) {
            throw new IOException("the stream was cut off before it began");
        }
        writer = Thread.currentThread();
    }

    private void leave() {
        synchronized (this) {
            writer = null;
            // An interrupt that came late must not reach the thread's next request.
            Thread.interrupted();
        }
        streams.leave(this);
    }

    private interface Write {
        void run() throws IOException;
    }

    private void writing(Write write) throws IOException {
        // Never 0, which means that there is none.
        writingSince = System.nanoTime() | 1;
        try {
            write.run();
        } finally {
            writingSince = 0;
        }
    }

    /** As it stands in the log. */
    String path() {
        return path;
    }

    /** Notes the time of each write. */
    private final class WatchedOutput extends FilterOutputStream {
        WatchedOutput(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int b) throws IOException {
            writing(() -> out.write(b));
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            writing(() -> out.write(bytes, offset, length));
        }

        @Override
        public void flush() throws IOException {
            writing(out::flush);
        }

        @Override
        public void close() throws IOException {
            writing(out::close);
        }
    }
}
