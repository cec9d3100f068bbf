// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.Worker;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A poor worker's registration on a lease that it renews until it stops. */
final class PoorRegistration {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW_EVERY = Duration.ofSeconds(3);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final Keys keys;
    private Worker worker;
    private @Nullable Lease lease;
    private long revision;
    private boolean stopped;

    PoorRegistration(KeyValueStore store, EventLoop loop, Keys keys, Worker worker) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.worker = worker;
    }

    void start() {
        loop.when(store.grantLease(TTL), this::register, failure -> {
            throw new AssertionError(failure);
        });
    }

    void stop() {
        stopped = true;
    }

    void change(Worker next) {
        worker = next;
        put();
    }

    String id() {
        return worker.id();
    }

    long leaseId() {
        return lease == null ? 0 : lease.id();
    }

    /** Its create revision; 0 before it is there. */
    long revision() {
        return revision;
    }

    private void register(Lease granted) {
        lease = granted;
        put();
        renewLater();
    }

    private void put() {
        Payload value = Payload.wrap(worker.marshalBinary());
        loop.when(
                store.txn(Txn.of(List.of(Op.put(keys.worker(id()), value, leaseId())))),
                done -> revision = revision == 0 ? done.revision() : revision,
                failure -> later(RETRY_PAUSE, this::put));
    }

    private void renewLater() {
        later(RENEW_EVERY, () -> {
            if (!stopped) {
                loop.when(store.keepAlive(leaseId()), renewed -> {}, failure -> {});
                renewLater();
            }
        });
    }

    private void later(Duration pause, Runnable task) {
        var unused = loop.schedule(pause, task);
    }
}
