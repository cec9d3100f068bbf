// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ClusterMirrorTest {
    private final TestCluster cluster = new TestCluster();
    private final TestServer server = cluster.server("s1");
    private final ClusterMirror mirror = server.mirror();

    @Test
    void mirrorFollowsOnceEverythingWasListed() {
        assertFalse(mirror.isFollowing());
        server.start();
        cluster.settle();
        assertTrue(mirror.isFollowing());
    }

    @Test
    void readWaitsForTheRevisionItNeeds() {
        server.start();
        cluster.settle();
        server.store().holdWatches();
        cluster.submit(Samples.job("a"));
        CompletableFuture<Long> count = mirror.read(cluster.revision(), mirror.state()::recordCount);
        cluster.advance(Duration.ofMillis(100));
        assertFalse(count.isDone());
        server.store().heal();
        assertEquals(1, cluster.get(count));
    }

    @Test
    void readThatFailsTellsItsCallerAndHarmsNoOther() {
        server.start();
        cluster.settle();
        long next = cluster.revision() + 1;
        CompletableFuture<Object> bad = mirror.read(next, () -> {
            throw new IllegalStateException("a bug");
        });
        CompletableFuture<Long> good = mirror.read(next, mirror.state()::recordCount);
        cluster.submit(Samples.job("a"));
        assertThrows(IllegalStateException.class, () -> cluster.get(bad));
        assertEquals(1, cluster.get(good));
    }

    @Test
    void readsBeforeTheFirstListingAreAnswered() {
        CompletableFuture<Long> count = mirror.read(0, mirror.state()::recordCount);
        assertEquals(0, cluster.get(count));
    }
}
