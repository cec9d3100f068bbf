// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverloadTest {
    private static final int STALLED = 500;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GE",
                "GET /vital HTTP/1.1\r\nHost: x\r\nX-",
                "POST /size HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
                "POST /size HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"
            })
    void stalledConnectionsDoNotKeepAGoodClientWaiting(String sent) throws Exception {
        TestFront server = server(TestFront.LIMITS);
        for (int i = 0; i < STALLED; i++) {
            RawClient client = server.raw();
            opened.add(0, client);
            client.send(sent);
        }
        // Connections are taken in order: once this is answered, the server has taken all of those before it.
        server.get("/vital");

        long start = System.nanoTime();
        HttpResponse<String> answer = server.send("POST", "/size", "{\"a\":1}");
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

        System.out.printf(
                "stalled=%d sent=%d bytes: a good client was served in %d ms%n", STALLED, sent.length(), millis);
        assertEquals(200, answer.statusCode());
        assertTrue(millis < 1000, millis + " ms");
    }

    @Test
    void requestThatIsNeverFinishedIsCutOff() throws Exception {
        TestFront server = server(TestFront.LIMITS);
        try (RawClient client = server.raw()) {
            long start = System.nanoTime();
            String answer = client.send("GET /vital HTTP/1.1\r\nHost: x\r\n").readAll();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

            assertEquals("", answer);
            assertTrue(millis >= HttpLimits.MAX_REQUEST_TIME.toMillis() - 1000, millis + " ms");
        }
    }

    @Test
    void fullServerSaysSoAndWhenToComeBack() throws Exception {
        TestFront server = server(limits(2, 1, Duration.ofMillis(50), Duration.ofSeconds(20)));
        List<CompletableFuture<HttpResponse<String>>> hanging =
                List.of(server.sendAsync("GET", "/hang"), server.sendAsync("GET", "/hang"));
        TestFront.until("both are under way", () -> server.front.underWay() == 2);

        HttpResponse<String> refused = server.send("POST", "/size", "{}");

        assertEquals(503, refused.statusCode(), refused.body());
        assertEquals("1", refused.headers().firstValue("Retry-After").orElse(""));
        assertTrue(refused.body().contains("urn:headmast:unavailable"), refused.body());
        assertEquals(200, server.get("/vital").statusCode());
        server.release();
        for (CompletableFuture<HttpResponse<String>> one : hanging) {
            assertEquals(404, one.join().statusCode());
        }
        assertEquals(200, server.send("POST", "/size", "{}").statusCode());
    }

    @Test
    void requestWaitsAWhileForItsTurn() throws Exception {
        TestFront server = server(limits(1, 1, Duration.ofSeconds(20), Duration.ofSeconds(20)));
        CompletableFuture<HttpResponse<String>> first = server.sendAsync("GET", "/hang");
        CompletableFuture<HttpResponse<String>> second = server.sendAsync("GET", "/hang");
        TestFront.until("both are under way", () -> server.front.underWay() == 2);

        server.release();

        assertEquals(404, first.join().statusCode());
        assertEquals(404, second.join().statusCode());
    }

    @Test
    void readThatTakesTooLongMayBeRepeated() throws Exception {
        TestFront server = server(limits(8, 8, Duration.ofSeconds(1), Duration.ofMillis(50)));

        HttpResponse<String> answer = server.get("/hang");

        assertEquals(503, answer.statusCode());
        assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
    }

    @Test
    void writeThatTakesTooLongMayHaveHappened() throws Exception {
        TestFront server = server(limits(8, 8, Duration.ofSeconds(1), Duration.ofMillis(50)));

        HttpResponse<String> answer = server.send("POST", "/hang", "");

        assertEquals(504, answer.statusCode());
        assertTrue(answer.body().contains("urn:headmast:indeterminate"), answer.body());
    }

    @Test
    void clientThatDoesNotReadLosesItsConnection() throws Exception {
        TestFront server = server(new HttpLimits(
                8, 8, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(200), 1024, 1024, 8));
        RawClient client = server.raw();
        opened.add(0, client);
        client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");

        TestFront.until("its request is under way", () -> server.reached.get() == 1);
        TestFront.until("its thread is free again", () -> server.front.underWay() == 0);

        assertEquals(200, server.get("/vital").statusCode());
    }

    @Test
    void closingLetsRequestsFinishAndRefusesNewOnes() throws Exception {
        TestFront server = server(TestFront.LIMITS);
        CompletableFuture<HttpResponse<String>> early = server.sendAsync("GET", "/hang");
        TestFront.until("it is under way", () -> server.front.underWay() == 1);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(server.front::close);

        TestFront.until("new requests are refused", () -> server.get("/vital").statusCode() == 503);
        server.release();
        assertEquals(404, early.join().statusCode());
        closed.get(20, TimeUnit.SECONDS);
    }

    private TestFront server(HttpLimits limits) {
        TestFront server = new TestFront(limits);
        opened.add(server);
        return server;
    }

    private static HttpLimits limits(int maxHandled, int maxWaiting, Duration waitTime, Duration requestTime) {
        return new HttpLimits(
                maxHandled, maxWaiting, waitTime, requestTime, Duration.ofSeconds(20), 1024 * 1024, 1024 * 1024, 8);
    }
}
