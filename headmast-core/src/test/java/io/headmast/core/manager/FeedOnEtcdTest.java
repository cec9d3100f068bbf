// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobPath;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The feed on a real etcd, of its own because it is compacted and restarted. */
final class FeedOnEtcdTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static EtcdServer etcd;
    private static JetcdStore writer;
    private static int number;

    private final Keys keys = new Keys("/feed-" + number++);
    private final List<Served> servers = new ArrayList<>();
    private long start;

    /** A server that neither leads nor schedules. */
    private final class Served {
        final JetcdStore store = new JetcdStore(JetcdOptions.of(etcd.endpoint()));
        final ThreadLoop loop = new ThreadLoop("mirror");
        final ThreadLoop feedLoop = new ThreadLoop("feed");
        final ClusterMirror mirror = new ClusterMirror(store, loop, keys, MirrorOptions.standard(new Random(1)));
        final StoreJobFeed feed = new StoreJobFeed(store, mirror, feedLoop);

        Served() {
            loop.execute(mirror::start);
            Await.until("the mirror follows", LIMIT, mirror::isFollowing);
            servers.add(this);
        }

        JobWatch watch(JobPath path, long after) {
            return Await.value(feed.watch(path, OptionalLong.of(after)), LIMIT);
        }

        void close() {
            servers.remove(this);
            feed.close();
            feedLoop.close();
            loop.execute(mirror::close);
            loop.close();
            store.close();
        }
    }

    @BeforeAll
    static void startEtcd() {
        etcd = EtcdServer.start();
        writer = new JetcdStore(JetcdOptions.of(etcd.endpoint()));
    }

    @AfterAll
    static void endEtcd() {
        if (etcd != null) {
            writer.close();
            etcd.close();
        }
    }

    @BeforeEach
    void remember() {
        start = put("first", "eu", "0");
    }

    @AfterEach
    void close() {
        List.copyOf(servers).forEach(Served::close);
    }

    private long commit(Op... ops) {
        return Await.value(writer.txn(Txn.of(List.of(ops))), LIMIT).revision();
    }

    private Op record(String id, String domain, String payload) {
        Job job = Job.builder().id(id).domain(domain).payload(payload).build();
        return Op.put(keys.job(id), Payload.wrap(job.marshalBinary()));
    }

    private long put(String id, String domain, String payload) {
        return commit(record(id, domain, payload));
    }

    /** Jobs that come, change, change their domain, end and go; tells the last revision. */
    private long lives(int count) {
        long last = 0;
        for (int i = 0; i < count; i++) {
            String id = "j" + i % 20;
            commit(record(id, i % 3 == 0 ? "us" : "eu", "payload " + i), record("k" + i % 7, "eu", "with " + id));
            RunState ended = RunState.unplaced(Phase.COMPLETED, 1, 1, Instant.EPOCH, "ended");
            last = commit(Op.put(keys.state(id), ended.toPayload()));
            if (i % 4 == 0) {
                last = commit(Op.delete(keys.job(id)), Op.delete(keys.state(id)));
            }
        }
        return last;
    }

    private void readUpTo(Follower follower, long revision) {
        Await.until("all is told", LIMIT, follower::position, () -> {
            follower.next(SHORT);
            return follower.position() >= revision;
        });
    }

    private void assertExact(Follower follower) {
        var history = new ToldHistory(keys, revision -> listing(revision));
        assertEquals(history.told(follower.path, follower.from, follower.position()), follower.told);
    }

    private List<KeyValue> listing(long revision) {
        return Await.value(writer.range(new RangeRequest(KeyRange.prefix(keys.all()), 0, revision)), LIMIT)
                .items();
    }

    @Test
    void serversTellTheSameOfWhatTheySawAndOfWhatTheyDidNot() {
        Served early = new Served();
        Follower live = new Follower(JobPath.ALL, start, early.watch(JobPath.ALL, start));
        long last = lives(60);
        Served late = new Served();
        Follower domain = new Follower(JobPath.domain("eu"), start, late.watch(JobPath.domain("eu"), start));
        Follower all = new Follower(JobPath.ALL, start, late.watch(JobPath.ALL, start));
        for (Follower follower : List.of(live, domain, all)) {
            readUpTo(follower, last);
            assertExact(follower);
        }
        assertEquals(live.told, all.told);
    }

    @Test
    void watchGoesOnAfterARestartOfItsServer() {
        Served first = new Served();
        Follower follower = new Follower(JobPath.ALL, start, first.watch(JobPath.ALL, start));
        readUpTo(follower, lives(10));
        lives(10);
        first.close();
        long unseen = lives(10);
        Served second = new Served();
        follower.goOnWith(second.watch(JobPath.ALL, follower.position()));
        readUpTo(follower, unseen);
        // Nothing happens for long enough that the replay ends by itself.
        Await.until("its watch is closed", LIMIT, () -> {
            follower.next(SHORT);
            return second.feed.isLiveAt(follower.position());
        });
        readUpTo(follower, lives(5));
        assertExact(follower);
    }

    @Test
    void restartOfEtcdCostsNoChange() {
        Served served = new Served();
        Follower follower = new Follower(JobPath.ALL, start, served.watch(JobPath.ALL, start));
        lives(5);
        etcd.restart();
        Await.until("etcd answers", LIMIT, () -> Await.value(writer.ping().handle((done, no) -> no == null), LIMIT));
        put("short", "eu", "1");
        commit(Op.delete(keys.job("short")));
        readUpTo(follower, lives(5));
        assertExact(follower);
    }

    @Test
    void compactedRevisionIsGone() {
        long last = lives(10);
        Await.value(writer.compact(last - 3), LIMIT);
        Served served = new Served();
        assertThrows(HeadmastException.Gone.class, () -> served.watch(JobPath.ALL, last - 4));
        Follower follower = new Follower(JobPath.ALL, last - 3, served.watch(JobPath.ALL, last - 3));
        readUpTo(follower, last);
        assertExact(follower);
        assertTrue(follower.told.size() > 1, follower.told::toString);
    }
}
