// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import io.headmast.core.testing.CuttingProxy.Direction;
import io.headmast.core.testing.EtcdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What calls come to when etcd or the way to it fails: never a wrong word about a write, and always in time. */
final class JetcdFaultsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** A call that ran out of time, and what a loaded machine adds. */
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private static final Duration OUTAGE = Duration.ofSeconds(7);
    private static final Duration WAIT_AFTER_OUTAGE = Duration.ofMillis(1500);

    private final String key = "faults/" + UUID.randomUUID();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void nobodyListening() {
        String endpoint = "http://127.0.0.1:" + deadPort();
        JetcdStore store = store(endpoint);
        long start = System.nanoTime();
        var failure = assertFails(HeadmastException.Unavailable.class, store.ping());
        assertTrue(elapsed(start).compareTo(TIMEOUT.plusSeconds(1)) < 0, () -> "took " + elapsed(start));
        assertTrue(failure.detail().contains(endpoint), failure::detail);
        assertFalse(failure.detail().contains("\n"), failure::detail);
        // No connection ever saw the write, so this is known: it was not applied.
        assertFails(HeadmastException.Unavailable.class, write(store));
        assertFails(HeadmastException.Unavailable.class, store.grantLease(Duration.ofSeconds(5)));
    }

    @Test
    void connectionThatNeverComesUp() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        proxy.hold();
        JetcdStore store = store(proxy.endpoint());
        var failure = assertFails(HeadmastException.Unavailable.class, store.ping());
        assertTrue(failure.detail().contains(proxy.endpoint()), failure::detail);
        assertFails(HeadmastException.Unavailable.class, write(store));
        proxy.release();
        Await.until("a write succeeds", LIMIT, () -> succeeds(write(store)));
        // So none of those that failed was applied.
        assertEquals(1, read(store).version());
    }

    /** gRPC's own pauses between attempts to connect would by now be longer than the wait that is allowed here. */
    @Test
    void clientComesBackAtOnceAfterALongOutage() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint());
        value(store.ping());
        proxy.refuse();
        proxy.cutAll();
        long start = System.nanoTime();
        Await.until("the outage has lasted", LIMIT, () -> {
            assertFails(HeadmastException.Unavailable.class, store.ping());
            return elapsed(start).compareTo(OUTAGE) > 0;
        });
        proxy.accept();
        Await.until("an answer", WAIT_AFTER_OUTAGE, () -> succeeds(store.ping()));
    }

    @Test
    void frozenEtcd() {
        EtcdServer etcd = opened(EtcdServer.start());
        JetcdStore store = store(etcd.endpoint());
        Lease lease = value(store.grantLease(Duration.ofSeconds(60)));
        etcd.pause();
        CompletableFuture<?> write = write(store);
        CompletableFuture<?> read = store.range(RangeRequest.key(key));
        CompletableFuture<?> renewal = store.keepAlive(lease.id());
        CompletableFuture<?> grant = store.grantLease(Duration.ofSeconds(60));
        assertFails(HeadmastException.Indeterminate.class, write);
        assertFails(HeadmastException.Unavailable.class, read);
        assertFails(HeadmastException.Unavailable.class, renewal);
        assertFails(HeadmastException.Indeterminate.class, grant);
        etcd.resume();
        etcd.awaitHealth();
        value(store.keepAlive(lease.id()));
    }

    @Test
    void lostAnswerIsIndeterminateAndTheWriteIsNotRepeated() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint());
        JetcdStore witness = store(EtcdServer.shared().endpoint());
        value(store.ping());
        proxy.hold(Direction.DOWN);
        CompletableFuture<?> write = write(store);
        Await.until("the write is applied", LIMIT, () -> exists(witness));
        assertFalse(write.isDone());
        proxy.cutAll();
        assertFails(HeadmastException.Indeterminate.class, write);
        proxy.release();
        value(store.ping());
        assertEquals(1, read(witness).version());
    }

    @Test
    void timedOutWriteMayBeApplied() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint());
        value(store.ping());
        proxy.hold(Direction.DOWN);
        assertFails(HeadmastException.Indeterminate.class, write(store));
        proxy.release();
        assertEquals(1, read(store).version());
    }

    @Test
    void deadEndpointOfSeveral() {
        JetcdStore store =
                store("http://127.0.0.1:" + deadPort(), EtcdServer.shared().endpoint());
        value(write(store));
        assertEquals(1, read(store).version());
        value(store.keepAlive(value(store.grantLease(Duration.ofSeconds(60))).id()));
    }

    @Test
    void endpointThatDiesLater() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint(), EtcdServer.shared().endpoint());
        value(store.ping());
        assertEquals(1, proxy.accepted());
        proxy.refuse();
        proxy.cutAll();
        value(store.ping());
        value(write(store));
    }

    @Test
    void frozenEndpointOfSeveral() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint(), EtcdServer.shared().endpoint());
        value(store.ping());
        proxy.hold();
        // A read goes on to the next endpoint by itself, within its time.
        assertTrue(value(store.range(RangeRequest.key(key))).items().isEmpty());
        value(write(store));
    }

    @Test
    void writeAtAFrozenEndpointIsNotRepeatedButTheNextGoesElsewhere() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint(), EtcdServer.shared().endpoint());
        value(store.ping());
        proxy.hold();
        assertFails(HeadmastException.Indeterminate.class, write(store));
        value(write(store));
        assertEquals(1, read(store).version());
    }

    @Test
    void noEndpointLeftNamesAll() {
        String one = "http://127.0.0.1:" + deadPort();
        String two = "http://127.0.0.1:" + deadPort();
        var failure =
                assertFails(HeadmastException.Unavailable.class, store(one, two).ping());
        assertTrue(failure.detail().contains(one) && failure.detail().contains(two), failure::detail);
    }

    @Test
    void closingFailsWhatIsUnderWay() {
        CuttingProxy proxy = proxy(EtcdServer.shared());
        JetcdStore store = store(proxy.endpoint());
        value(store.ping());
        proxy.hold();
        CompletableFuture<?> write = write(store);
        CompletableFuture<?> read = store.range(RangeRequest.key(key));
        store.close();
        assertFails(HeadmastException.Indeterminate.class, write);
        assertFails(HeadmastException.Unavailable.class, read);
        assertFails(HeadmastException.Unavailable.class, write(store));
    }

    private JetcdStore store(String... endpoints) {
        return opened(new JetcdStore(JetcdOptions.of(List.of(endpoints)).withCallTimeout(TIMEOUT)));
    }

    private CuttingProxy proxy(EtcdServer etcd) {
        return opened(CuttingProxy.to(etcd));
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.add(resource);
        return resource;
    }

    private CompletableFuture<TxnResult> write(JetcdStore store) {
        return store.txn(Txn.of(List.of(Op.put(key, Payload.of("value")))));
    }

    private KeyValue read(JetcdStore store) {
        return value(store.range(RangeRequest.key(key))).first().orElseThrow();
    }

    private boolean exists(JetcdStore store) {
        return value(store.range(RangeRequest.key(key))).first().isPresent();
    }

    private static Duration elapsed(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static boolean succeeds(CompletableFuture<?> future) {
        try {
            value(future);
            return true;
        } catch (HeadmastException.Unavailable e) {
            return false;
        }
    }

    private static <T> T value(CompletableFuture<T> future) {
        return Await.value(future, LIMIT);
    }

    private static <X extends Throwable> X assertFails(Class<X> type, CompletableFuture<?> future) {
        return assertInstanceOf(type, assertThrows(Throwable.class, () -> value(future)));
    }

    /** A port on which nobody listens. */
    private static int deadPort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
