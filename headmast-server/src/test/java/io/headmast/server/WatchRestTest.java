// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static io.headmast.server.InMemoryFeed.added;
import static io.headmast.server.JobsRestTest.assertProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobChange;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import io.headmast.server.RunningService.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WatchRestTest {
    private static final String WATCH = "/api/v1/watch/jobs";
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final JobChange A = added(Samples.job("a"));
    private static final JobChange B =
            added(Samples.job("b").toBuilder().domain("eu").build());
    private static final JobChange C = added(Samples.job("c"));

    private final RunningService server = new RunningService();
    private final InMemoryFeed feed = server.core.feed;

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void streamTellsWhereItStandsThenEachRevisionAndWhyItEnds() {
        try (EventReader events = watch("")) {
            assertEquals(200, events.status());
            assertEquals("text/event-stream; charset=utf-8", events.header("Content-Type"));
            assertEquals("no-store", events.header("Cache-Control"));
            assertEquals("no", events.header("X-Accel-Buffering"));
            feed.tell(A);
            feed.tell(B, C);
            awaitCaughtUp();
            feed.elapse(HEARTBEAT.minusNanos(1));
            feed.elapse(Duration.ofNanos(1));
            awaitCaughtUp();

            server.close();

            assertEquals("""
                    event: progress
                    id: 100
                    data: {"revision":100}

                    id: 101
                    event: changes
                    data: %s

                    id: 102
                    event: changes
                    data: %s
                    data: %s

                    event: progress
                    id: 102
                    data: {"revision":102}

                    event: end
                    retry: 1000
                    data: {"type":"urn:headmast:unavailable","title":"Unavailable","status":503,\
                    "detail":"this server is stopping; take the watch up at another, or again"}

                    """.formatted(json(A), json(B), json(C)), events.rest());
        }
    }

    @Test
    void oneJobOrADomainIsWatched() {
        try (EventReader job = watch("/c");
                EventReader domain = watch("/domain/eu");
                EventReader jobCalledDomain = watch("/domain")) {
            assertEquals(progress(100), job.event());
            assertEquals(progress(100), domain.event());
            assertEquals(progress(100), jobCalledDomain.event());
            feed.tell(A);
            feed.tell(A, B, C);
            feed.tell(added(Samples.job("domain")));

            assertEquals(changes(102, C), job.event());
            assertEquals(changes(102, B), domain.event());
            assertTrue(jobCalledDomain.event().startsWith("id: 103\n"));
        }
    }

    @Test
    void watchIsTakenUpWhereItWasLeft() {
        feed.tell(A);
        feed.tell(B);
        feed.tell(C);
        try (EventReader asked = watch("?revision=101");
                EventReader resumed = watch("?revision=101", "Last-Event-ID", "102")) {
            assertEquals(progress(101), asked.event());
            assertEquals(changes(102, B), asked.event());
            assertEquals(changes(103, C), asked.event());
            assertEquals(progress(102), resumed.event());
            assertEquals(changes(103, C), resumed.event());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "+5", "x", "1.0", "1e3", "9223372036854775808", "99999999999999999999", "%31%00", "1%2C2"})
    void revisionThatIsNoneIsRefused(String text) {
        assertRefused(server.get(WATCH + "?revision=" + text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "x", "\"5\"", "5, 6", "99999999999999999999"})
    void lastEventIdThatIsNoRevisionIsRefused(String text) {
        assertRefused(server.send("GET", WATCH + "?revision=100", "", "Last-Event-ID", text));
    }

    @Test
    void emptyRevisionIsRefusedAndAnEmptyLastEventIdIsNone() {
        assertRefused(server.get(WATCH + "?revision="));
        assertProblem(server.get(WATCH + "?revision=100&revision=100"), 400, "invalid");
        assertProblem(server.get(WATCH + "?since=100"), 400, "invalid");
        assertProblem(server.get(WATCH + "?payload=no"), 400, "invalid");
        try (EventReader events = watch("?revision=100", "Last-Event-ID", "")) {
            assertEquals(progress(100), events.event());
        }
    }

    @Test
    void revisionThatIsGoneOrNotThereYetIsAnsweredBeforeTheStream() {
        feed.tell(A);
        feed.compact();

        Answer gone = server.get(WATCH + "?revision=100");

        assertProblem(gone, 410, "gone");
        assertRefused(server.get(WATCH + "?revision=102"));
        assertEquals(0, feed.openWatches());
    }

    @ParameterizedTest
    @CsvSource({
        "/, 400",
        "/domain/, 400",
        "/domain/a%2Fb, 400",
        "/domain/.., 400",
        "/.., 400",
        "/%2F, 400",
        "/%2e%2e, 400",
        "/domain%2Feu, 400",
        "/a/b, 404",
        "/domain/a/b, 404",
        "/domain//, 404",
        "//, 404"
    })
    void pathThatIsNoneIsRefused(String path, int status) {
        String answer = server.raw("GET " + WATCH + path + " HTTP/1.1", "");

        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        assertEquals(0, feed.openWatches());
    }

    @Test
    void headAnswersTheHeadersAndWatchesNothing() {
        Answer head = server.send("HEAD", WATCH, "");

        assertEquals(200, head.status());
        assertEquals("text/event-stream; charset=utf-8", head.header("Content-Type"));
        assertEquals("", head.body());
        assertEquals(410, headOf("?revision=1").status());
        assertEquals(405, server.post(WATCH, "").status());
        assertEquals(0, feed.openWatches());
    }

    @Test
    void readerThatFellTooFarBehindIsTold() {
        try (EventReader events = watch("")) {
            assertEquals(progress(100), events.event());
            feed.fail(new HeadmastException.Gone("too far behind; start again from a list"));

            assertEquals(
                    "event: end\ndata: {\"type\":\"urn:headmast:gone\",\"title\":\"Gone\",\"status\":410,"
                            + "\"detail\":\"too far behind; start again from a list\"}\n\n",
                    events.rest());
        }
        assertEquals(0, feed.openWatches());
    }

    @Test
    void unexpectedFailureEndsTheStreamAndShowsNothingOfTheInside() {
        try (EventReader events = watch("")) {
            assertEquals(progress(100), events.event());
            feed.fail(new IllegalStateException("secret"));

            String end = events.rest();

            assertTrue(end.startsWith("event: end\ndata: {\"type\":\"urn:headmast:internal\""), end);
            assertTrue(!end.contains("secret"), end);
        }
    }

    @Test
    void revisionIsPassedOnWhileItIsStillComing() {
        JobChange large = large("large");
        try (EventReader events = watch("")) {
            assertEquals(progress(100), events.event());
            feed.begin(large, large("later"), A);

            assertEquals("id: 101", events.line());
            assertEquals("event: changes", events.line());
            assertEquals("data: " + json(large), events.line());
            awaitCaughtUp();
            feed.elapse(HEARTBEAT);
            assertTrue(events.line().startsWith("data: "));
            assertEquals(":", events.line());
            feed.complete();
            assertEquals("data: " + json(A), events.line());
            assertEquals("", events.line());
        }
    }

    @Test
    void revisionThatCannotBeToldToItsEndMovesNoReaderOn() {
        try (EventReader events = watch("")) {
            assertEquals(progress(100), events.event());
            feed.tell(A);
            assertEquals(changes(101, A), events.event());
            feed.begin(B, C);
            awaitCaughtUp();
            feed.fail(new HeadmastException.Gone("it is gone"));

            List<String> end = events.rest().lines().toList();

            assertEquals(
                    List.of("id: 102", "event: changes", "data: " + json(B), "id: 101", "event: end"),
                    end.subList(0, 5));
            assertTrue(end.get(5).startsWith("data: {\"type\":\"urn:headmast:gone\""), end.get(5));
        }
    }

    @Test
    void revisionOfManyLargeJobsIsToldWhole() {
        List<JobChange> changes =
                IntStream.range(0, 120).mapToObj(i -> large("job-" + i)).toList();
        try (EventReader events = watch("")) {
            assertEquals(progress(100), events.event());
            feed.tell(changes.toArray(JobChange[]::new));

            assertEquals("id: 101", events.line());
            assertEquals("event: changes", events.line());
            for (JobChange change : changes) {
                assertEquals("data: " + json(change), events.line());
            }
            assertEquals("", events.line());
        }
    }

    @Test
    void payloadIsLeftOutIfNobodyWantsIt() {
        JobChange large = large("large");
        Job without = large.job().job().toBuilder().payload(Payload.empty()).build();
        try (EventReader events = watch("?payload=false")) {
            assertEquals(progress(100), events.event());
            feed.tell(large);

            assertEquals(changes(101, added(without)), events.event());
        }
    }

    @Test
    void readerThatGoesAwayIsNoticedByTheHeartbeat() {
        List<EventReader> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(watch(""));
        }
        readers.forEach(EventReader::event);
        assertEquals(20, feed.openWatches());

        readers.forEach(EventReader::close);

        Await.until("their watches are closed", PATIENCE, () -> {
            feed.elapse(HEARTBEAT);
            return feed.openWatches() == 0;
        });
    }

    @Test
    void closingTheServiceEndsEveryStreamAtOnce() {
        List<EventReader> readers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            readers.add(watch(""));
        }
        readers.forEach(EventReader::event);

        long start = System.nanoTime();
        server.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

        for (EventReader reader : readers) {
            String end = reader.rest();
            assertTrue(end.startsWith("event: end\nretry: 1000\ndata: {\"type\":\"urn:headmast:unavailable\""), end);
        }
        assertTrue(server.core.closed.get());
        assertEquals(0, feed.openWatches());
        assertTrue(millis < 3000, millis + " ms");
    }

    private EventReader watch(String path, String... headers) {
        return EventReader.open(server.service.address(), WATCH + path, headers);
    }

    private Answer headOf(String query) {
        return server.send("HEAD", WATCH + query, "");
    }

    private void awaitCaughtUp() {
        Await.until("every watch has told everything", PATIENCE, () -> feed.waitingWatches() == feed.openWatches());
    }

    private static void assertRefused(Answer answer) {
        assertProblem(answer, 400, "invalid");
        assertEquals("revision", answer.text("field"));
    }

    private static JobChange large(String id) {
        byte[] bytes = new byte[512 * 1024];
        return added(Samples.job(id).toBuilder().payload(Payload.wrap(bytes)).build());
    }

    private static String progress(long revision) {
        return "event: progress\nid: " + revision + "\ndata: {\"revision\":" + revision + "}\n";
    }

    private static String changes(long revision, JobChange change) {
        return "id: " + revision + "\nevent: changes\ndata: " + json(change) + "\n";
    }

    private static String json(JobChange change) {
        return Json.write(change.toJson());
    }
}
