// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.core.testing.CuttingProxy.Direction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The proxy in front of a server that sends back what it gets. */
final class CuttingProxyTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MOMENT_MILLIS = 100;

    private ServerSocket echo;
    private CuttingProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var thread = new Thread(this::acceptAll, "echo");
        thread.setDaemon(true);
        thread.start();
        proxy = CuttingProxy.to(echo.getLocalPort());
    }

    @AfterEach
    void end() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void forwardsBothWays() throws IOException {
        try (Socket client = connect()) {
            assertArrayEquals(new byte[] {1, 2, 3}, roundTrip(client, 1, 2, 3));
            assertEquals(1, proxy.accepted());
            assertEquals(1, proxy.open());
        }
        Await.until("the connection is gone", LIMIT, () -> proxy.open() == 0);
    }

    @Test
    void cutsAfterExactlyTheGivenBytes() throws IOException {
        proxy.cutNextAfter(3, 0);
        try (Socket first = connect();
                Socket second = connect();
                Socket third = connect()) {
            send(first, 1, 2, 3, 4, 5);
            assertArrayEquals(new byte[] {1, 2, 3}, first.getInputStream().readAllBytes());
            assertArrayEquals(new byte[0], second.getInputStream().readAllBytes());
            assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, roundTrip(third, 1, 2, 3, 4, 5));
        }
    }

    @Test
    void cutsAllNow() throws IOException {
        try (Socket client = connect()) {
            roundTrip(client, 1);
            proxy.cutAll();
            assertEquals(-1, client.getInputStream().read());
        }
        try (Socket client = connect()) {
            assertArrayEquals(new byte[] {1}, roundTrip(client, 1));
        }
    }

    @Test
    void deliversWhatItHeldBack() throws IOException {
        for (Direction direction : Direction.values()) {
            try (Socket client = connect()) {
                roundTrip(client, 1);
                proxy.hold(direction);
                send(client, 2, 3);
                client.setSoTimeout(MOMENT_MILLIS);
                assertThrows(SocketTimeoutException.class, client.getInputStream()::read);
                proxy.release();
                client.setSoTimeout((int) LIMIT.toMillis());
                assertArrayEquals(new byte[] {2, 3}, client.getInputStream().readNBytes(2));
            }
        }
    }

    @Test
    void delays() throws IOException {
        try (Socket client = connect()) {
            proxy.delay(Duration.ofMillis(MOMENT_MILLIS));
            long start = System.nanoTime();
            roundTrip(client, 1);
            assertEquals(-1, Long.compare(Duration.ofMillis(MOMENT_MILLIS).toNanos(), System.nanoTime() - start));
        }
    }

    @Test
    void refusesAndAcceptsAgain() throws IOException {
        try (Socket client = connect()) {
            roundTrip(client, 1);
            proxy.refuse();
            assertThrows(IOException.class, this::connect);
            assertArrayEquals(new byte[] {2}, roundTrip(client, 2));
            proxy.accept();
        }
        try (Socket client = connect()) {
            assertArrayEquals(new byte[] {3}, roundTrip(client, 3));
        }
    }

    @Test
    void tellsWhereFramesEnd() throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
        bytes.writeBytes(new byte[] {0, 1, 0, 0, 0, 0, 0, 1, 5});
        bytes.writeBytes(new byte[256]);
        bytes.writeBytes(new byte[] {0, 0, 9});
        try (Socket client = connect()) {
            client.getOutputStream().write(bytes.toByteArray());
            client.getInputStream().readNBytes(bytes.size());
            Await.until("the frames", LIMIT, () -> proxy.framesOfLast().size() == 2);
            assertEquals(List.of(new Http2Frame(4, 0, 9), new Http2Frame(0, 261, 274)), proxy.framesOfLast());
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout((int) LIMIT.toMillis());
        return socket;
    }

    private static byte[] roundTrip(Socket client, int... bytes) throws IOException {
        send(client, bytes);
        return client.getInputStream().readNBytes(bytes.length);
    }

    private static void send(Socket client, int... bytes) throws IOException {
        for (int value : bytes) {
            client.getOutputStream().write(value);
        }
    }

    private void acceptAll() {
        while (!echo.isClosed()) {
            try {
                Socket client = echo.accept();
                var thread = new Thread(() -> sendBack(client), "echo-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void sendBack(Socket client) {
        try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
        } catch (IOException e) {
            return;
        }
    }
}
