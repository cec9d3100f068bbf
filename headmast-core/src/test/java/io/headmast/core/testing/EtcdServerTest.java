// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EtcdServerTest {
    private static final Duration MOMENT = Duration.ofMillis(300);

    @Test
    void keepsDataAndPortsOverAKillAndARestart() throws Exception {
        try (EtcdServer etcd = EtcdServer.start()) {
            String endpoint = etcd.endpoint();
            etcd.etcdctl("put", "key", "value");
            etcd.kill9();
            assertThrows(ConnectException.class, () -> version(etcd));
            etcd.restart();
            assertEquals(endpoint, etcd.endpoint());
            assertTrue(etcd.etcdctl("get", "key").contains("value"));
        }
    }

    @Test
    void isSilentWhilePaused() throws Exception {
        try (EtcdServer etcd = EtcdServer.start()) {
            etcd.pause();
            assertThrows(HttpTimeoutException.class, () -> version(etcd));
            etcd.resume();
            etcd.awaitHealth();
            assertTrue(version(etcd).contains("etcdserver"));
        }
    }

    @Test
    void takesFlags() {
        try (EtcdServer etcd = EtcdServer.start("--max-txn-ops", "7")) {
            assertTrue(etcd.etcdctl("endpoint", "health").contains("is healthy"));
        }
    }

    @Test
    void isSharedByThoseWhoDoNotDisturbIt() {
        assertSame(EtcdServer.shared(), EtcdServer.shared());
    }

    private static String version(EtcdServer etcd) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/version"))
                .timeout(MOMENT)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
