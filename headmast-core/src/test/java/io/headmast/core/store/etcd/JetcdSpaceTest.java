// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An etcd whose space runs out, and gets room again. */
final class JetcdSpaceTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long QUOTA = 4 << 20;
    private static final Payload LARGE = Payload.wrap(new byte[200 << 10]);
    private static final int MORE_THAN_ENOUGH = 100;

    @Test
    void fullEtcdRefusesWritesUntilThereIsRoom() {
        try (EtcdServer etcd = EtcdServer.start("--quota-backend-bytes", Long.toString(QUOTA));
                JetcdStore store = new JetcdStore(JetcdOptions.of(etcd.endpoint()))) {
            Lease lease = Await.value(store.grantLease(Duration.ofMinutes(10)), LIMIT);
            fill(store, lease);
            assertFull(put(store, "small", 0));
            assertFull(store.grantLease(Duration.ofMinutes(10)));

            // What keeps running jobs alive goes on.
            assertEquals(
                    LARGE,
                    Await.value(store.range(RangeRequest.key("k")), LIMIT)
                            .first()
                            .orElseThrow()
                            .value());
            Await.value(store.keepAlive(lease.id()), LIMIT);
            Await.value(store.revokeLease(lease.id()), LIMIT);
            assertTrue(Await.value(store.range(RangeRequest.of(KeyRange.prefix("k"))), LIMIT)
                    .items()
                    .isEmpty());

            makeRoom(etcd, store);
            Await.value(put(store, "small", 0), LIMIT);
        }
    }

    private static void fill(JetcdStore store, Lease lease) {
        var failure = assertThrows(HeadmastException.StorageFull.class, () -> {
            for (int i = 0; i < MORE_THAN_ENOUGH; i++) {
                Await.value(store.txn(Txn.of(List.of(Op.put("k", LARGE, lease.id())))), LIMIT);
            }
        });
        assertTrue(failure.detail().contains("NOSPACE"), failure::detail);
    }

    private static void makeRoom(EtcdServer etcd, JetcdStore store) {
        long revision = Await.value(store.range(RangeRequest.key("k")), LIMIT).revision();
        etcd.etcdctl("compact", Long.toString(revision), "--physical");
        etcd.etcdctl("defrag");
        etcd.etcdctl("alarm", "disarm");
    }

    private static CompletableFuture<TxnResult> put(JetcdStore store, String key, long lease) {
        return store.txn(Txn.of(List.of(Op.put(key, Payload.of("v"), lease))));
    }

    private static void assertFull(CompletableFuture<?> future) {
        assertInstanceOf(
                HeadmastException.StorageFull.class, assertThrows(Throwable.class, () -> Await.value(future, LIMIT)));
    }
}
