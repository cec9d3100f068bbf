// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection on which a test sends exactly the bytes it wants. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket = new Socket();

    RawClient(InetSocketAddress server) throws IOException {
        socket.connect(server, PATIENCE_MILLIS);
        socket.setSoTimeout(PATIENCE_MILLIS);
    }

    RawClient send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Says that nothing more will be sent; the answer can still be read. */
    RawClient endOfInput() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** The first line of the answer. */
    String statusLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.write(c);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** All that comes until the server closes the connection. */
    String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
