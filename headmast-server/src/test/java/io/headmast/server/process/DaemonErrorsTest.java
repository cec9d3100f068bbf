// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import io.headmast.server.Main;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** What a daemon says, and how it exits, when it can't do its work. */
class DaemonErrorsTest extends ProcessCase {
    @Test
    void aWrongFlagSaysWhatWasMeant() {
        ChildJvm server = cluster.run(Main.class, "--etcd-endpoint", "127.0.0.1:1");
        assertEquals(2, server.exitCode());
        assertLine(server, "headmast server: '--etcd-endpoint' is not known; did you mean --etcd-endpoints?");
        ChildJvm worker = cluster.run(io.headmast.worker.Main.class, "--lease-ttl", "1s");
        assertEquals(2, worker.exitCode());
        assertLine(worker, "headmast worker: --lease-ttl must lie between 2s and 1h (it is '1s')");
    }

    @Test
    void anUnreachableEtcdIsNamed() {
        ChildJvm server = cluster.run(Main.class, "--etcd-endpoints", "127.0.0.1:1", "--port", "0");
        assertEquals(1, server.exitCode());
        assertTrue(server.log().contains("127.0.0.1:1"), server.log());
    }

    @Test
    void aTakenPortIsNamed() {
        cluster.server("s1");
        HeadmastClient client = cluster.client("s1");
        Await.until(
                "it is announced",
                ProcessCluster.LIMIT,
                () -> !client.cluster().servers().isEmpty());
        String port = Integer.toString(client.cluster().servers().stream()
                .map(server -> URI.create(server.address()).getPort())
                .findFirst()
                .orElseThrow());
        ChildJvm second = cluster.run(Main.class, "--etcd-endpoints", etcd.endpoint(), "--port", port);
        assertEquals(1, second.exitCode());
        assertTrue(second.log().contains("can't listen on 127.0.0.1:" + port), second.log());
    }

    @Test
    void aSecondWorkerWithALiveIdIsRefused() {
        cluster.server("s1");
        cluster.worker("w1");
        HeadmastClient client = cluster.client("s1");
        Await.until(
                "the first", ProcessCluster.LIMIT, () -> client.listWorkers().size() == 1);
        ChildJvm second = cluster.run(
                io.headmast.worker.Main.class,
                "--etcd-endpoints",
                etcd.endpoint(),
                "--prefix",
                cluster.prefix(),
                "--worker-id",
                "w1");
        assertEquals(1, second.exitCode());
        assertTrue(second.log().contains("worker id w1 is in use by a live worker"), second.log());
        assertTrue(cluster.child("w1").isAlive());
        assertEquals(1, client.listWorkers().size());
    }

    private static void assertLine(ChildJvm child, String line) {
        assertTrue(child.log().lines().anyMatch(line::equals), child.log());
    }
}
