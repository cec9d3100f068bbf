// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.core.testing.EtcdServer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** A fresh etcd and a fresh embedded store, of which everything must be the same. */
final class EtcdPair implements AutoCloseable {
    /** Who answered, which differs from store to store. */
    private static final Pattern IDENTITY = Pattern.compile(" *(cluster_id|member_id|raft_term): \\d+\n");

    private final EtcdServer etcd = EtcdServer.start();
    private final EmbeddedStore store = EmbeddedStore.inMemory(0);
    private final EtcdClient real = new EtcdClient(etcd.clientPort());
    private final EtcdClient embedded = new EtcdClient(store.endpoint().getPort());

    EtcdServer etcd() {
        return etcd;
    }

    EmbeddedStore store() {
        return store;
    }

    EtcdClient embedded() {
        return embedded;
    }

    /** Does the same with both, which must tell the same. */
    void same(String what, Function<EtcdClient, String> deed) {
        String expected = normal(deed.apply(real));
        String seen = normal(deed.apply(embedded));
        assertEquals(expected, seen, what);
    }

    private static String normal(String answer) {
        return IDENTITY.matcher(answer).replaceAll("");
    }

    @Override
    public void close() {
        real.close();
        embedded.close();
        store.close();
        etcd.close();
    }
}
