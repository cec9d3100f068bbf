// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobPath;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers on threads of their own. */
final class FeedThreadsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int READERS = 500;

    private final ThreadLoop storeLoop = new ThreadLoop("store");
    private final ThreadLoop loop = new ThreadLoop("mirror");
    private final ThreadLoop feedLoop = new ThreadLoop("feed");
    private final MvccStore store = new MvccStore(storeLoop);
    private final ClusterMirror mirror =
            new ClusterMirror(store, loop, Keys.DEFAULT, MirrorOptions.standard(new Random(1)));
    private final StoreJobFeed feed = new StoreJobFeed(store, mirror, feedLoop);
    private final ExecutorService readers = Executors.newCachedThreadPool();

    @BeforeEach
    void start() {
        loop.execute(mirror::start);
        Await.until("the mirror follows", LIMIT, mirror::isFollowing);
    }

    @AfterEach
    void close() {
        feed.close();
        readers.shutdownNow();
        feedLoop.close();
        loop.close();
        storeLoop.close();
    }

    private long put(String id) {
        Payload record =
                Payload.wrap(Job.builder().id(id).payload("of " + id).build().marshalBinary());
        return Await.value(store.txn(Txn.of(List.of(Op.put(Keys.DEFAULT.job(id), record)))), LIMIT)
                .revision();
    }

    private JobWatch watch(JobPath path) {
        return Await.value(feed.watch(path, OptionalLong.empty()), LIMIT);
    }

    /** The payloads of the next changes. */
    private static List<String> changes(JobWatch watch, int count) {
        List<String> told = new ArrayList<>();
        while (told.size() < count) {
            if (next(watch, LIMIT) instanceof JobWatch.Change change) {
                told.add(change.change().job().job().payload().toText());
            }
        }
        return told;
    }

    private static JobWatch.Notice next(JobWatch watch, Duration limit) {
        try {
            return watch.next(limit);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fiveHundredReadersAreAllTold() {
        put("before");
        List<CompletableFuture<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            JobWatch watch = watch(i % 2 == 0 ? JobPath.ALL : JobPath.job("j9"));
            int changes = i % 2 == 0 ? 10 : 1;
            all.add(CompletableFuture.supplyAsync(() -> changes(watch, changes), readers));
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            put("j" + i);
            expected.add("of j" + i);
        }
        for (int i = 0; i < READERS; i++) {
            assertEquals(i % 2 == 0 ? expected : List.of("of j9"), Await.value(all.get(i), LIMIT));
        }
    }

    @Test
    void readerThatWaitsIsWokenByTheEndOfItsWatch() {
        JobWatch watch = watch(JobPath.ALL);
        CompletableFuture<String> reader = CompletableFuture.supplyAsync(() -> endOf(watch), readers);
        watch.close();
        assertEquals("ended", Await.value(reader, LIMIT));
    }

    @Test
    void readersThatWaitAreWokenByTheEndOfTheFeed() {
        JobWatch watch = watch(JobPath.ALL);
        CompletableFuture<String> reader = CompletableFuture.supplyAsync(() -> endOf(watch), readers);
        feed.close();
        assertEquals("ended", Await.value(reader, LIMIT));
    }

    private static String endOf(JobWatch watch) {
        try {
            return "told " + next(watch, Duration.ofDays(365_000_000));
        } catch (HeadmastException.Unavailable e) {
            return "ended";
        }
    }
}
