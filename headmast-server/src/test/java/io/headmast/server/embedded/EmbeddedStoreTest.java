// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.StoreContract;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The store's contract on the embedded store, through gRPC and the same client that speaks to etcd. */
final class EmbeddedStoreTest extends StoreContract {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static EmbeddedStore embedded;
    private static JetcdStore store;

    @BeforeAll
    static void start() {
        embedded = EmbeddedStore.inMemory(0);
        store = new JetcdStore(JetcdOptions.of(embedded.endpoint().toString()));
    }

    @AfterAll
    static void end() {
        store.close();
        embedded.close();
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
