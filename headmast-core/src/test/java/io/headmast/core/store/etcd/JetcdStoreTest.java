// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.StoreContract;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real etcd, of its own because the contract compacts it. */
final class JetcdStoreTest extends StoreContract {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static EtcdServer etcd;
    private static JetcdStore store;

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start();
        store = new JetcdStore(JetcdOptions.of(etcd.endpoint()));
    }

    @AfterAll
    static void end() {
        if (etcd != null) {
            store.close();
            etcd.close();
        }
    }

    @Override
    public KeyValueStore store() {
        return store;
    }

    @Override
    public <T> T get(CompletableFuture<T> future) {
        return Await.value(future, LIMIT);
    }

    @Override
    public void eventually(String what, BooleanSupplier condition) {
        Await.until(what, LIMIT, condition);
    }
}
