// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import com.sun.net.httpserver.HttpExchange;
import io.headmast.api.HeadmastException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads requests' bodies into memory within two bounds: one for each body, and one for all that are held at once. How
 * long it may take is bounded by {@link HttpLimits#MAX_REQUEST_TIME}.
 */
final class BodyReader {
    private static final int CHUNK = 16 * 1024;

    /** What is read and thrown away of a body that nobody wants, so that its sender gets to read the answer. */
    private static final long MAX_DRAINED = 64L * 1024 * 1024;

    private static final long MAX_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final int maxBody;
    private final Semaphore freeBytes;

    BodyReader(HttpLimits limits) {
        this.maxBody = limits.maxBody();
        this.freeBytes = new Semaphore(limits.maxBuffered());
    }

    /** A body in memory; closing it makes room for others. */
    final class Body implements AutoCloseable {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int limit;

        private Body(int limit) {
            this.limit = limit;
        }

        byte[] bytes() {
            return bytes.toByteArray();
        }

        private void add(byte[] chunk, int length) {
            if (bytes.size() + length > limit) {
                throw tooLarge(limit);
            }
            if (!freeBytes.tryAcquire(length)) {
                throw new HeadmastException.Unavailable("the server has too many large requests at once; try again");
            }
            bytes.write(chunk, 0, length);
        }

        @Override
        public void close() {
            freeBytes.release(bytes.size());
            bytes.reset();
        }
    }

    /**
     * Reads a whole body, of a given length or in chunks.
     *
     * @throws HeadmastException.TooLarge as soon as it is known to be too large
     * @throws IOException if it ends before its end
     */
    Body read(HttpExchange exchange, BodyForm form) throws IOException {
        int limit = form.maxBytes().orElse(maxBody);
        String declared = exchange.getRequestHeaders().getFirst("Content-Length");
        if (declared != null && Long.parseLong(declared) > limit) {
            throw tooLarge(limit);
        }
        Body body = new Body(limit);
        boolean complete = false;
        try {
            InputStream in = exchange.getRequestBody();
            byte[] chunk = new byte[CHUNK];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                body.add(chunk, n);
            }
            complete = true;
            return body;
        } finally {
            if (!complete) {
                body.close();
            }
        }
    }

    /**
     * Throws away what is left of a request, within bounds. Closing a connection with unread bytes resets it, and the
     * answer that was just sent could get lost.
     */
    static void drain(HttpExchange exchange) throws IOException {
        InputStream in = exchange.getRequestBody();
        byte[] chunk = new byte[CHUNK];
        long start = System.nanoTime();
        long drained = 0;
        int n = in.read(chunk);
        while (n >= 0 && drained < MAX_DRAINED && System.nanoTime() - start < MAX_DRAIN_NANOS) {
            drained += n;
            n = in.read(chunk);
        }
    }

    private static HeadmastException.TooLarge tooLarge(int limit) {
        return new HeadmastException.TooLarge("the request's body is larger than the limit of " + limit + " bytes");
    }
}
