// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyLimitTest {
    private static final int LIMIT = 100_000;
    private static final String HEAD = "POST /size HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

    private final TestFront server = new TestFront(new HttpLimits(
            8, 8, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(5), LIMIT, 3 * LIMIT, 8));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void bodyOfTheLimitsSizeIsTaken() throws Exception {
        assertEquals(200, server.send("POST", "/size", body(LIMIT)).statusCode());
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT + 1, 10 * LIMIT, 50_000_000})
    void largerBodyIsRefusedAndTheSenderIsTold(int size) throws Exception {
        HttpResponse<String> answer = server.send("POST", "/size", body(size));

        assertEquals(413, answer.statusCode());
        assertTrue(answer.body().contains("the limit of " + LIMIT + " bytes"), answer.body());
        assertEquals(0, server.reached.get());
    }

    @Test
    void largerBodyInChunksIsRefused() throws Exception {
        HttpResponse<String> answer = server.send(server.request("POST", "/size", "")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(body(LIMIT + 1))))
                .build());

        assertEquals(413, answer.statusCode());
    }

    @Test
    void unreadBodyOfARefusedRequestDoesNotLoseTheAnswer() throws Exception {
        assertEquals(404, server.send("POST", "/nothing", body(10 * LIMIT)).statusCode());
        assertEquals(405, server.send("DELETE", "/size", body(10 * LIMIT)).statusCode());
    }

    @Test
    void bodyWithoutEndIsRefusedWhileItIsStillComing() throws Exception {
        try (RawClient client = server.raw()) {
            client.send(HEAD + "Transfer-Encoding: chunked\r\n\r\n");
            CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> sendForEver(client));

            assertEquals("HTTP/1.1 413 Request Entity Too Large", client.statusLine());
            TestFront.until("the server cuts it off", sender::isDone);
        }
    }

    @Test
    void manyLargeBodiesAtOnceAreBoundedTogether() throws Exception {
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slow.add(server.raw()
                    .send(HEAD + "Content-Length: " + LIMIT + "\r\n\r\n"
                            + body(LIMIT).substring(1)));
        }
        TestFront.until(
                "the server holds them",
                () -> server.send("POST", "/size", body(20_000)).statusCode() == 503);

        for (RawClient client : slow) {
            client.close();
        }

        TestFront.until(
                "there is room again",
                () -> server.send("POST", "/size", body(LIMIT)).statusCode() == 200);
    }

    private static void sendForEver(RawClient client) {
        try {
            String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
            while (true) {
                client.send(chunk);
            }
        } catch (IOException e) {
            // The server cut it off, as it should; what it answered is read elsewhere.
            return;
        } catch (UncheckedIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A JSON object of exactly that many bytes. */
    private static String body(int size) {
        String frame = "{\"a\":\"\"}";
        return "{\"a\":\"" + "x".repeat(size - frame.length()) + "\"}";
    }
}
