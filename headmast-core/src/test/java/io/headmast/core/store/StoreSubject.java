// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.Payload;
import io.headmast.core.testing.RecordingListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A store under test, the way to wait for it, and the words in which its tests speak. */
public interface StoreSubject {
    KeyValueStore store();

    /** What every key of this test begins with; no other test uses it. */
    String prefix();

    /** The value of a future, or the failure thrown. */
    <T> T get(CompletableFuture<T> future);

    /** Waits until the condition holds, for as long as the longest lease of a test, or fails. */
    void eventually(String what, BooleanSupplier condition);

    default String key(String name) {
        return prefix() + name;
    }

    /** Writes one key and tells the revision. */
    default long put(String name, String value) {
        return commit(Op.put(key(name), Payload.of(value))).revision();
    }

    default TxnResult commit(Op... operations) {
        return commit(Txn.of(List.of(operations)));
    }

    default TxnResult commit(Txn txn) {
        return get(store().txn(txn));
    }

    default RangeResult read(KeyRange range) {
        return get(store().range(RangeRequest.of(range)));
    }

    default Optional<KeyValue> read(String name) {
        return read(KeyRange.key(key(name))).first();
    }

    /** The names under the prefix of this test, as a range shows them. */
    default List<String> names() {
        return read(KeyRange.prefix(prefix())).items().stream()
                .map(item -> item.key().substring(prefix().length()))
                .toList();
    }

    /** The store's revision, seen by a read. */
    default long revision() {
        return read(KeyRange.key(key("?"))).revision();
    }

    default Lease grant(long seconds) {
        return get(store().grantLease(Duration.ofSeconds(seconds)));
    }

    /** Watches the prefix of this test. */
    default Watch watch(long fromRevision, RecordingListener listener) {
        return store().watch(new WatchRequest(KeyRange.prefix(prefix()), fromRevision), listener);
    }

    default <X extends Throwable> X assertFails(Class<X> type, CompletableFuture<?> future) {
        return assertInstanceOf(type, assertThrows(Throwable.class, () -> get(future)));
    }

    default <X extends Throwable> X assertRefused(Class<X> type, Op... operations) {
        return assertFails(type, store().txn(Txn.of(List.of(operations))));
    }
}
