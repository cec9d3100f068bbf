// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Server;
import io.headmast.api.json.Json;
import io.headmast.core.store.Op;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers whose mirror is at odds with what the store answers about the leader. */
final class LeadershipDoubtTest {
    private final TestCluster cluster = new TestCluster();

    private TestServer server(String id) {
        TestServer server = cluster.server(id).start();
        cluster.settle();
        return server;
    }

    @Test
    void serverWhoseWatchPassedOverTheNewLeaderListsInsteadOfTryingOverAndOver() {
        TestServer first = server("s1");
        server("s2");
        TestServer third = server("s3");
        third.store()
                .loseEvents(event -> event instanceof WatchEvent.Put
                        && event.key().equals(cluster.keys().leader()));
        long before = cluster.revision();
        var closed = first.scheduler().close();
        cluster.settle();

        assertTrue(closed.isDone());
        assertEquals(Optional.of("s2"), cluster.leader());
        assertEquals("s2", third.mirror().leader().orElseThrow().server().id());
        assertTrue(cluster.revision() - before <= 4, "written " + (cluster.revision() - before) + " times");
    }

    @Test
    void announcementThatWasOverwrittenIsMadeAgain() {
        TestServer server = server("s1");
        Server former = new Server("s1", "former", "http://former", Instant.EPOCH);
        long before = cluster.revision();
        cluster.commit(Op.put(cluster.keys().server("s1"), Json.toPayload(former.toJson())));
        cluster.settle();

        assertTrue(server.mirror().announces(server.self()));
        assertTrue(cluster.revision() - before <= 3, "written " + (cluster.revision() - before) + " times");
    }
}
