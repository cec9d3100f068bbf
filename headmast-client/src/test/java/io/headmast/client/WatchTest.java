// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.client.Clients.NotedPauses;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final int FIRST = WatchingServer.FIRST;
    private static final int LAST = WatchingServer.LAST;
    private static final List<String> ALL =
            IntStream.rangeClosed(FIRST + 1, LAST).mapToObj(i -> "j" + i).toList();

    private final NotedPauses pauses = new NotedPauses();
    private final Told told = new Told();

    /** Keeps what is told. */
    private static final class Told implements WatchPathHandler {
        final BlockingQueue<String> jobs = new LinkedBlockingQueue<>();
        final BlockingQueue<Long> revisions = new LinkedBlockingQueue<>();
        final BlockingQueue<String> troubles = new LinkedBlockingQueue<>();
        final BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();

        @Override
        public void changed(JobPath path, JobView job, ChangeReason change) {
            jobs.add(job.job().id());
        }

        @Override
        public void progressed(JobPath path, long revision) {
            revisions.add(revision);
        }

        @Override
        public void interrupted(JobPath path, Exception why) {
            troubles.add(String.valueOf(why.getMessage()));
        }

        @Override
        public void ended(JobPath path, Throwable why) {
            ends.add(why);
        }

        List<String> take(int count) throws InterruptedException {
            String[] taken = new String[count];
            for (int i = 0; i < count; i++) {
                taken[i] = next(jobs);
            }
            return List.of(taken);
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        @Nullable T next = queue.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }

    private static Throwable endOf(JobWatch watch) {
        return assertThrows(ExecutionException.class, () -> watch.whenEnded().get(30, TimeUnit.SECONDS))
                .getCause();
    }

    private static void awaitEnd(JobWatch watch) throws Exception {
        watch.whenEnded().get(30, TimeUnit.SECONDS);
    }

    private HeadmastClient client(ScriptedServer... servers) {
        String[] addresses = new String[servers.length];
        for (int i = 0; i < servers.length; i++) {
            addresses[i] = servers[i].address();
        }
        return Clients.of(ClientOptions.of(addresses), pauses);
    }

    @Test
    void everyChangeIsToldInOrderAndTheRevisionFollows() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.open());
                HeadmastClient client = client(server);
                JobWatch watch = client.watchJobPath("domain/eu", told)) {
            assertEquals(JobPath.domain("eu"), watch.path());
            assertEquals(ALL, told.take(ALL.size()));
            for (long revision = FIRST; revision <= LAST; revision++) {
                assertEquals(revision, next(told.revisions));
            }
            assertEquals(LAST, watch.revision());
            assertEquals(
                    List.of("GET /api/v1/watch/jobs/domain/eu"),
                    server.asked().stream().map(ScriptedServer.Asked::line).toList());
        }
    }

    @Test
    void whatIsWatchedAndFromWhereIsAskedFor() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.open(), WatchingServer.open());
                HeadmastClient client = client(server)) {
            client.watchJobPath(
                            JobPath.job("a~b"), WatchOptions.DEFAULT.after(13).withoutPayloads(), told)
                    .close();
            assertEquals(
                    "GET /api/v1/watch/jobs/a~b?revision=13&payload=false",
                    server.last().line());
            client.watchJobPath("", told).close();
            assertEquals("GET /api/v1/watch/jobs", server.last().line());
        }
    }

    @Test
    @SuppressWarnings("try") // It is closed in the middle.
    void aStreamThatIsCutAnywhereIsTakenUpWithoutLossOrRepetition() throws Exception {
        int length = WatchingServer.history(FIRST).length();
        int standing = WatchingServer.progress(FIRST).length();
        for (int cut = standing; cut <= length; cut++) {
            Told told = new Told();
            try (ScriptedServer server = ScriptedServer.answering(WatchingServer.cutAfter(cut), WatchingServer.open());
                    HeadmastClient client = client(server);
                    JobWatch watch = client.watchJobPath("", told)) {
                assertEquals(ALL, told.take(ALL.size()), "cut after " + cut);
                awaitRevision(told, LAST);
                watch.close();
                awaitEnd(watch);
                assertTrue(told.jobs.isEmpty(), () -> "more than once: " + told.jobs);
            }
        }
    }

    private static void awaitRevision(Told told, long revision) throws InterruptedException {
        while (next(told.revisions) < revision) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aRevisionThatCouldNotBeToldToItsEndIsNotTold() throws Exception {
        String half = "id: 11\nevent: changes\n" + WatchingServer.change(11) + "\n:\nid: 10\n"
                + WatchingServer.end("unavailable", 503);
        try (ScriptedServer server = ScriptedServer.answering(
                        WatchingServer.events(WatchingServer.progress(10), half), WatchingServer.open());
                HeadmastClient client = client(server);
                JobWatch watch = client.watchJobPath("", told)) {
            assertEquals(ALL, told.take(ALL.size()));
            assertEquals("the detail", next(told.troubles));
            assertEquals("GET /api/v1/watch/jobs?revision=10", server.last().line());
            assertFalse(watch.whenEnded().isDone());
        }
    }

    @Test
    void aServerThatStopsIsLeftForAnother() throws Exception {
        try (ScriptedServer first = ScriptedServer.answering(WatchingServer.events(
                        WatchingServer.progress(10),
                        WatchingServer.changes(11),
                        WatchingServer.end("unavailable", 503)));
                ScriptedServer second = ScriptedServer.answering(WatchingServer.open());
                HeadmastClient client = client(first, second);
                JobWatch watch = client.watchJobPath("", told)) {
            assertEquals(ALL, told.take(ALL.size()));
            assertEquals("GET /api/v1/watch/jobs?revision=11", second.last().line());
            assertEquals(1, first.requests());
            assertFalse(watch.whenEnded().isDone());
        }
    }

    @Test
    void serversThatBreakEveryStreamAreAskedAgainWithPauses() throws Exception {
        ScriptedServer.Reply broken = WatchingServer.eventsAndEnd(WatchingServer.progress(10));
        try (ScriptedServer server = ScriptedServer.answering(broken, broken, broken, broken, WatchingServer.open());
                HeadmastClient client = client(server);
                JobWatch watch = client.watchJobPath("", told)) {
            assertEquals(ALL, told.take(ALL.size()));
            assertEquals(
                    List.of(100L, 200L, 400L, 800L),
                    pauses.noted().stream().map(Duration::toMillis).toList());
            assertEquals(4, told.troubles.size());
            assertEquals(LAST, awaitedRevision(watch));
        }
    }

    private long awaitedRevision(JobWatch watch) throws InterruptedException {
        awaitRevision(told, LAST);
        return watch.revision();
    }

    @Test
    void historyThatIsGoneEndsTheWatchOrKeepsItFromBeginning() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(
                        WatchingServer.eventsAndEnd(WatchingServer.progress(10)),
                        ScriptedServer.problem(410, "gone"),
                        WatchingServer.events(WatchingServer.progress(10), WatchingServer.end("gone", 410)),
                        ScriptedServer.problem(410, "gone"));
                HeadmastClient client = client(server)) {
            JobWatch cut = client.watchJobPath("", told);
            assertInstanceOf(HeadmastException.Gone.class, next(told.ends));
            assertInstanceOf(HeadmastException.Gone.class, endOf(cut));
            assertEquals(10, cut.revision());
            JobWatch late = client.watchJobPath("", told);
            assertInstanceOf(HeadmastException.Gone.class, endOf(late));
            assertThrows(
                    HeadmastException.Gone.class,
                    () -> client.watchJobPath(JobPath.ALL, WatchOptions.DEFAULT.after(3), told));
            assertEquals(4, server.requests());
        }
    }

    @Test
    void aWatchThatCannotBeginFailsLikeAnyCall() {
        HeadmastException.Invalid malformed;
        try (HeadmastClient client = Clients.of(ClientOptions.of(ScriptedServer.deadAddress()), pauses)) {
            malformed = assertThrows(HeadmastException.Invalid.class, () -> client.watchJobPath("domain/a/b", told));
            assertThrows(HeadmastException.Unavailable.class, () -> client.watchJobPath("", told));
        }
        assertEquals("domain", malformed.field().orElseThrow());
        ScriptedServer.Reply broken = WatchingServer.eventsAndEnd(":\n");
        try (ScriptedServer server = ScriptedServer.answering(broken, broken, broken);
                HeadmastClient client = client(server)) {
            assertThrows(HeadmastException.Unavailable.class, () -> client.watchJobPath("", told));
            assertEquals(3, server.requests());
        }
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, "{}"));
                HeadmastClient client = client(server)) {
            assertThrows(HeadmastException.Unavailable.class, () -> client.watchJobPath("", told));
        }
        assertTrue(told.ends.isEmpty(), "the call has said so");
    }

    @Test
    void whatCannotBeUnderstoodEndsTheWatch() throws Exception {
        for (String nonsense : List.of(
                "event: changes\nid: 11\ndata: {}\n\n",
                "event: changes\nid: x\n" + WatchingServer.change(11) + "\n\n",
                "event: progress\nid: 99999999999999999999\ndata: {}\n\n",
                "event: end\ndata: oops\n\n")) {
            try (ScriptedServer server =
                            ScriptedServer.answering(WatchingServer.events(WatchingServer.progress(10), nonsense));
                    HeadmastClient client = client(server)) {
                JobWatch watch = client.watchJobPath("", told);
                assertInstanceOf(HeadmastException.Internal.class, endOf(watch), nonsense);
                assertEquals(10, watch.revision());
            }
        }
        assertTrue(told.jobs.isEmpty());
    }

    @Test
    void anEventOfALaterVersionIsPassedOver() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.events(
                        WatchingServer.progress(10), "event: news\ndata: x\n\n", WatchingServer.changes(11)));
                HeadmastClient client = client(server);
                JobWatch watch = client.watchJobPath("", told)) {
            assertEquals(List.of("j11"), told.take(1));
            assertFalse(watch.whenEnded().isDone());
        }
    }

    @Test
    void whatAHandlerThrowsEndsTheWatchBeforeThatRevision() throws Exception {
        WatchPathHandler picky = (path, job, change) -> {
            if (job.job().id().equals("j13")) {
                throw new IllegalStateException("no");
            }
        };
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.open());
                HeadmastClient client = client(server)) {
            JobWatch watch = client.watchJobPath("", picky);
            assertEquals("no", endOf(watch).getMessage());
            assertEquals(12, watch.revision());
        }
    }

    @Test
    void aHandlerMayCloseItsWatch() throws Exception {
        CountDownLatch given = new CountDownLatch(1);
        JobWatch[] watch = new JobWatch[1];
        BlockingQueue<String> jobs = new LinkedBlockingQueue<>();
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.eventsAndThen(
                        given, WatchingServer.progress(10), WatchingServer.changes(11) + WatchingServer.changes(12)));
                HeadmastClient client = client(server)) {
            watch[0] = client.watchJobPath("", (path, job, change) -> {
                jobs.add(job.job().id());
                watch[0].close();
            });
            given.countDown();
            awaitEnd(watch[0]);
            assertEquals(List.of("j11"), List.copyOf(jobs));
        }
    }

    @Test
    @SuppressWarnings("try") // It is closed in the middle.
    void closingTheClientEndsItsWatches() throws Exception {
        JobWatch silent;
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.open());
                HeadmastClient client = client(server)) {
            silent = client.async().watchJobPath("", told).get(30, TimeUnit.SECONDS);
            client.close();
            awaitEnd(silent);
            assertThrows(IllegalStateException.class, () -> client.watchJobPath("", told));
        }
        assertTrue(told.ends.isEmpty());
    }

    @Test
    void aCallThatIsGivenUpLeavesNoWatchBehind() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(WatchingServer.events(":\n"));
                HeadmastClient client = client(server)) {
            var coming = client.async().watchJobPath("", told);
            server.awaitRequest();
            assertTrue(coming.cancel(true));
            assertTrue(Clients.endsSoon("headmast-watch-"));
        }
    }

    @Test
    void aStreamThatIsSilentIsGivenUp() {
        EventStream stream = new EventStream(URI.create("http://127.0.0.1"));
        var silence = assertThrows(IOException.class, () -> stream.next(Duration.ofMillis(10)));
        assertTrue(String.valueOf(silence.getMessage()).startsWith("nothing came"), silence::toString);
    }
}
