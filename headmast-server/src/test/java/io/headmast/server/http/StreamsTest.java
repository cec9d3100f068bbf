// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StreamsTest {
    private static final int STREAMS = 8;
    private static final Duration WRITE_TIME = Duration.ofMillis(200);
    private static final Duration REQUEST_TIME = Duration.ofMillis(50);

    private final TestFront server = new TestFront(
            new HttpLimits(1, 1, Duration.ofSeconds(5), REQUEST_TIME, WRITE_TIME, 1024, 1024 * 1024, STREAMS));
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void streamIsSentAsItComesAndItsEndEndsTheConnection() throws Exception {
        RawClient client = client("GET /stream HTTP/1.1");
        awaitStreams(1);
        server.streams.get(0).begun.await();

        server.streams.get(0).close();

        String answer = client.readAll();
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
        assertTrue(answer.contains("\r\nContent-type: text/plain\r\n"), answer);
        assertTrue(answer.contains("\r\nCache-control: no-store\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\n6\r\nbegin\n\r\n4\r\nend\n\r\n0\r\n\r\n"), answer);
        awaitStreams(0);
    }

    @Test
    void streamOverTheLimitIsRefusedAndTheOthersGoOn() throws Exception {
        for (int i = 0; i < STREAMS; i++) {
            client("GET /stream HTTP/1.1");
        }
        awaitStreams(STREAMS);

        HttpResponse<String> refused = server.get("/stream");

        assertEquals(503, refused.statusCode());
        assertEquals("1", refused.headers().firstValue("Retry-After").orElse(""));
        assertTrue(refused.body().contains("no place for another stream (the limit is 8)"), refused.body());
        assertEquals(0, server.streams.get(STREAMS).closed.getCount());
        assertEquals(STREAMS, server.front.openStreams());
        server.streams.get(0).close();
        awaitStreams(STREAMS - 1);
        client("GET /stream HTTP/1.1");
        awaitStreams(STREAMS);
    }

    @Test
    void streamsTakeNoPlaceOfOtherRequests() throws Exception {
        for (int i = 0; i < STREAMS; i++) {
            client("GET /stream HTTP/1.1");
        }
        awaitStreams(STREAMS);

        // There is one place for requests that are worked on.
        assertEquals(200, server.send("POST", "/size", "{}").statusCode());
        TestFront.until("no request is under way", () -> server.front.underWay() == 0);
    }

    @Test
    void readerThatDoesNotReadIsCutOffAndDisturbsNobody() throws Exception {
        RawClient good = client("GET /stream HTTP/1.1");
        awaitStreams(1);
        RawClient stuck = client("GET /flood HTTP/1.1");
        TestFront.until("the flood has begun", () -> server.streams.size() == 2);
        server.streams.get(1).begun.await();

        assertEquals(200, server.send("POST", "/size", "{}").statusCode());
        awaitStreams(1);
        assertEquals(0, server.streams.get(1).closed.getCount());
        stuck.close();
        // The thread that was interrupted serves others: none of them notices.
        for (int i = 0; i < 20; i++) {
            assertEquals(200, server.send("POST", "/size", "{}").statusCode());
        }
        server.streams.get(0).close();
        assertTrue(good.readAll().endsWith("4\r\nend\n\r\n0\r\n\r\n"));
    }

    @Test
    void readersThatGoAwayLeaveNoConnectionBehind() throws Exception {
        // More than may be open at once.
        for (int i = 0; i < HttpLimits.MAX_CONNECTIONS + 100; i++) {
            try (RawClient client = server.raw()) {
                assertEquals(
                        "HTTP/1.1 200 OK",
                        client.send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n").statusLine());
            }
            TestFront.until("there is a place", () -> server.front.openStreams() < STREAMS);
        }

        awaitStreams(0);
        assertEquals(200, server.get("/vital").statusCode());
    }

    @Test
    void headOfAStreamIsAnsweredWithoutOpeningIt() throws Exception {
        HttpResponse<String> head = server.send("HEAD", "/stream", "");

        assertEquals(200, head.statusCode());
        assertEquals("text/plain", head.headers().firstValue("Content-Type").orElse(""));
        assertEquals(0, server.streams.get(0).closed.getCount());
        assertEquals(1, server.streams.get(0).begun.getCount());
        assertEquals(0, server.front.openStreams());
    }

    @Test
    void streamThatIsReadyTooLateIsClosed() throws Exception {
        assertEquals(503, server.get("/hang").statusCode());
        TestStream late = new TestStream(false);

        server.hanging.complete(Response.stream("text/plain", late));

        late.closed.await();
        assertEquals(1, late.begun.getCount());
    }

    @Test
    void streamThatFailsIsCutOffWithoutAnEnd() throws Exception {
        String answer = client("GET /broken-stream HTTP/1.1").readAll();

        assertTrue(answer.endsWith("\r\n7\r\npartial\r\n"), answer);
        awaitStreams(0);
        assertEquals(200, server.get("/vital").statusCode());
    }

    @Test
    void closingEndsTheStreamsFirstAndCutsThoseThatAreStuck() throws Exception {
        TestFront patient = new TestFront(TestFront.LIMITS);
        RawClient good = patient.raw().send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
        RawClient stuck = patient.raw().send("GET /flood HTTP/1.1\r\nHost: x\r\n\r\n");
        clients.add(good);
        clients.add(stuck);
        TestFront.until("both are open", () -> patient.front.openStreams() == 2);
        CompletableFuture<HttpResponse<String>> request = patient.sendAsync("GET", "/hang");
        TestFront.until("it is under way", () -> patient.front.underWay() == 1);

        long start = System.nanoTime();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(patient.front::close);
        assertTrue(good.readAll().endsWith("4\r\nend\n\r\n0\r\n\r\n"));
        TestFront.until("no stream is left", () -> patient.front.openStreams() == 0);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        patient.release();

        assertEquals(404, request.join().statusCode());
        closed.get(20, TimeUnit.SECONDS);
        assertTrue(millis < 3000, millis + " ms");
    }

    private RawClient client(String requestLine) throws IOException {
        RawClient client = server.raw().send(requestLine + "\r\nHost: x\r\n\r\n");
        clients.add(client);
        return client;
    }

    private void awaitStreams(int count) {
        TestFront.until(count + " streams are open", () -> server.front.openStreams() == count);
    }
}
