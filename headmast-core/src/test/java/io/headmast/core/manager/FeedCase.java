// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Job;
import io.headmast.api.JobPath;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A cluster in virtual time with servers that have a feed. */
abstract class FeedCase {
    final TestCluster cluster = new TestCluster();
    final ToldHistory history = new ToldHistory(cluster.keys(), this::listing);

    /** A server that has read the store. */
    record Served(TestServer server, StoreJobFeed feed) {
        /** Calls of the store. */
        long calls() {
            return server.store().txns() + server.store().ranges();
        }
    }

    final Served serve(String id) {
        TestServer server = cluster.server(id);
        Served served = new Served(server, new StoreJobFeed(server.store(), server.mirror(), server.loop()));
        server.start();
        cluster.settle();
        return served;
    }

    final Follower follow(Served served, JobPath path, long after) {
        return new Follower(path, after, cluster.get(served.feed.watch(path, OptionalLong.of(after))));
    }

    /** Lets time pass until the follower has come to a revision. */
    final void readUpTo(Follower follower, long revision) {
        for (int i = 0; i < 300 && follower.position() < revision; i++) {
            follower.read(Integer.MAX_VALUE);
            cluster.advance(Duration.ofMillis(20));
        }
        if (follower.position() < revision) {
            throw new AssertionError("at " + follower.position() + " and not at " + revision);
        }
    }

    /** What the followers were told, in short. */
    static List<String> texts(Follower follower) {
        return follower.told.stream()
                .map(told -> told.change().reason().wireName() + " "
                        + told.change().job().job().id() + " "
                        + told.change().job().job().payload().toText())
                .toList();
    }

    static Job job(String id, String domain, String payload) {
        return Job.builder().id(id).domain(domain).payload(payload).build();
    }

    private List<KeyValue> listing(long revision) {
        KeyRange prefix = KeyRange.prefix(cluster.keys().all());
        return cluster.get(cluster.store().range(new RangeRequest(prefix, 0, revision)))
                .items();
    }
}
