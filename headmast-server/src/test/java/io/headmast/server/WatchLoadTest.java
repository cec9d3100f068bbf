// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.JobChange;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class WatchLoadTest {
    private static final int WATCHERS = 500;

    /** What changes in a busy hour: something every thirty seconds. */
    private static final int REVISIONS = 120;

    private static final int CHANGES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void fiveHundredWatchersGetEveryChangeInOrderAndOthersAreServedMeanwhile() throws Exception {
        try (RunningService server = new RunningService()) {
            HttpClient client = HttpClient.newHttpClient();
            List<Watcher> watchers = new ArrayList<>();
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (int i = 0; i < WATCHERS; i++) {
                Watcher watcher = new Watcher();
                watchers.add(watcher);
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create(server.service.address() + "/api/v1/watch/jobs?revision=100"))
                        .build();
                answers.add(client.sendAsync(request, BodyHandlers.fromLineSubscriber(watcher)));
            }
            Await.until("all watch", PATIENCE, () -> server.core.feed.waitingWatches() == WATCHERS);

            long slowest = 0;
            for (int i = 0; i < REVISIONS; i++) {
                server.core.feed.tell(changes(i));
                if (i % 10 == 0) {
                    long start = System.nanoTime();
                    assertEquals(200, server.get("/api/v1/jobs").status());
                    slowest = Math.max(slowest, System.nanoTime() - start);
                }
            }
            long threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("http-"))
                    .count();
            Await.until("all have told everything", PATIENCE, () -> server.core.feed.waitingWatches() == WATCHERS);
            server.service.close();
            for (CompletableFuture<?> answer : answers) {
                answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }

            for (Watcher watcher : watchers) {
                watcher.requireComplete();
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(slowest);
            System.out.printf(
                    "watchers=%d changes=%d threads=%d: another client was served in %d ms%n",
                    WATCHERS, REVISIONS * CHANGES, threads, millis);
            assertTrue(millis < 1000, millis + " ms");
            assertTrue(threads <= WATCHERS + 32, threads + " threads");
        }
    }

    private static JobChange[] changes(int revision) {
        JobChange[] changes = new JobChange[CHANGES];
        for (int i = 0; i < CHANGES; i++) {
            changes[i] = InMemoryFeed.added(Samples.job("job-" + revision + "-" + i));
        }
        return changes;
    }

    /** Expects the stream line by line, and remembers the first that is another. */
    private static final class Watcher implements Subscriber<String> {
        private final List<String> unexpected = new ArrayList<>();
        private int line;
        private boolean ended;

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public synchronized void onNext(String text) {
            if (!text.startsWith(expected(line)) && unexpected.isEmpty()) {
                unexpected.add("line " + line + " is not " + expected(line) + ": " + text);
            }
            line++;
        }

        private static String expected(int line) {
            List<String> start = List.of("event: progress", "id: 100", "data: {\"revision\":100}", "");
            if (line < start.size()) {
                return start.get(line);
            }
            int event = CHANGES + 3;
            int revision = (line - start.size()) / event;
            int field = (line - start.size()) % event;
            if (revision >= REVISIONS) {
                return List.of("event: end", "retry: ", "data: ", "").get(Math.min(field, 3));
            }
            return switch (field) {
                case 0 -> "id: " + (101 + revision);
                case 1 -> "event: changes";
                case CHANGES + 2 -> "";
                default -> "data: {\"change\":\"added\",\"job\":{\"id\":\"job-" + revision + "-" + (field - 2) + "\",";
            };
        }

        @Override
        public synchronized void onError(Throwable failure) {
            unexpected.add(failure.toString());
        }

        @Override
        public synchronized void onComplete() {
            ended = true;
        }

        synchronized void requireComplete() {
            assertEquals(List.of(), unexpected);
            assertTrue(ended);
            assertEquals(4 + REVISIONS * (CHANGES + 3) + 4, line);
        }
    }
}
