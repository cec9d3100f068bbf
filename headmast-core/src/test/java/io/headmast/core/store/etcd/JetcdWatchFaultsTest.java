// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import io.headmast.core.testing.EtcdServer;
import io.headmast.core.testing.Http2Frame;
import io.headmast.core.testing.RecordingListener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A watch whose connection fails tells it, once, and until then has left nothing out. */
final class JetcdWatchFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** When jetcd would resume a watch by itself, and some more. */
    private static final Duration JETCD_RESUMES = Duration.ofMillis(800);

    private static final int HISTORY = 50;
    private static final int WATCH_CYCLES = 300;

    private final KeyRange range = KeyRange.prefix("watch-faults/" + UUID.randomUUID() + "/");

    @Test
    void restartOfEtcdBreaksAWatchOnce() {
        try (EtcdServer etcd = EtcdServer.start();
                JetcdStore store = new JetcdStore(JetcdOptions.of(etcd.endpoint()))) {
            var listener = new RecordingListener();
            store.watch(new WatchRequest(range, revision(store) + 1), listener);
            put(store, 1);
            Await.until("the event", LIMIT, () -> listener.events().size() == 1);
            etcd.kill9();
            Await.until("the end", LIMIT, () -> !listener.broken().isEmpty());
            etcd.restart();
            Await.until("etcd answers again", LIMIT, () -> answers(store));
            var second = new RecordingListener();
            long before = System.nanoTime();
            store.watch(new WatchRequest(range, put(store, 2)), second);
            Await.until("jetcd would have resumed", LIMIT, () -> {
                put(store, 3);
                return System.nanoTime() - before > JETCD_RESUMES.toNanos()
                        && !second.events().isEmpty();
            });
            assertEquals(1, listener.events().size());
            assertEquals(1, listener.broken().size());
        }
    }

    /** At every boundary of what a server sends, and within the frames: what jetcd's own resume would not survive. */
    @Test
    void watchCutAnywhereHasLeftNothingOut() {
        try (CuttingProxy proxy = CuttingProxy.to(EtcdServer.shared());
                JetcdStore writer =
                        new JetcdStore(JetcdOptions.of(EtcdServer.shared().endpoint()))) {
            long first = put(writer, 0);
            for (int i = 1; i < HISTORY; i++) {
                put(writer, i);
            }
            long last = revision(writer);
            assertTrue(watchThrough(proxy, first, last).broken().isEmpty());
            Set<Long> offsets = new TreeSet<>();
            for (Http2Frame frame : proxy.framesOfLast()) {
                offsets.addAll(List.of(frame.end() - 1, frame.end(), frame.end() + 1));
            }
            for (long offset : offsets) {
                proxy.cutNextAfter(offset);
                RecordingListener cut = watchThrough(proxy, first, last);
                List<Long> seen =
                        cut.events().stream().map(WatchEvent::revision).toList();
                assertEquals(
                        LongStream.range(first, first + seen.size()).boxed().toList(), seen, "cut at " + offset);
            }
        }
    }

    /** Watches until all is seen or the watch breaks. */
    private RecordingListener watchThrough(CuttingProxy proxy, long first, long last) {
        var listener = new RecordingListener();
        try (JetcdStore store = new JetcdStore(JetcdOptions.of(proxy.endpoint()))) {
            store.watch(new WatchRequest(range, first), listener);
            Await.until(
                    "all events or the end",
                    LIMIT,
                    () -> !listener.broken().isEmpty() || lastRevision(listener) >= last);
        }
        return listener;
    }

    @Test
    void closedWatchesLeaveNothingBehindInEtcd() {
        try (EtcdServer etcd = EtcdServer.start();
                JetcdStore store = new JetcdStore(JetcdOptions.of(etcd.endpoint()))) {
            put(store, 0);
            cycleWatches(store);
            long before = goroutines(etcd);
            cycleWatches(store);
            Await.until(
                    "as many goroutines as before, which were " + before,
                    LIMIT,
                    () -> goroutines(etcd),
                    () -> goroutines(etcd) < before + WATCH_CYCLES / 10);
        }
    }

    private void cycleWatches(JetcdStore store) {
        for (int i = 0; i < WATCH_CYCLES; i++) {
            var listener = new RecordingListener();
            Watch watch = store.watch(new WatchRequest(range, 1), listener);
            if (i % 50 == 0) {
                Await.until("the event", LIMIT, () -> !listener.events().isEmpty());
            }
            watch.close();
        }
    }

    @Test
    void silenceOfADeadConnectionIsHeard() {
        try (CuttingProxy proxy = CuttingProxy.to(EtcdServer.shared());
                JetcdStore store = new JetcdStore(JetcdOptions.of(proxy.endpoint()))) {
            var listener = new RecordingListener();
            Watch watch = store.watch(new WatchRequest(range, revision(store) + 1), listener);
            Await.until("an answer", LIMIT, () -> {
                watch.requestProgress();
                return listener.progressCalls() > 0;
            });
            proxy.hold();
            int answers = listener.progressCalls();
            watch.requestProgress();
            proxy.release();
            Await.until("an answer after the silence", LIMIT, () -> listener.progressCalls() > answers);
            watch.close();
        }
    }

    private long put(KeyValueStore store, int number) {
        return Await.value(store.txn(Txn.of(List.of(Op.put(range.from() + "k", Payload.of("v" + number))))), LIMIT)
                .revision();
    }

    private static boolean answers(JetcdStore store) {
        try {
            Await.value(store.ping(), LIMIT);
            return true;
        } catch (HeadmastException.Unavailable e) {
            return false;
        }
    }

    private long revision(KeyValueStore store) {
        return Await.value(store.range(RangeRequest.of(range)), LIMIT).revision();
    }

    private static long lastRevision(RecordingListener listener) {
        List<WatchEvent> events = listener.events();
        return events.isEmpty() ? 0 : events.get(events.size() - 1).revision();
    }

    private static long goroutines(EtcdServer etcd) {
        var request =
                HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/metrics")).build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("go_goroutines "))
                    .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
