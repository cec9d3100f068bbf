// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a transaction must not be. */
public interface TxnLimitsContract extends StoreSubject {
    @Test
    default void keyIsPutOnce() {
        Op put = Op.put(key("a"), Payload.empty());
        assertRefused(HeadmastException.Invalid.class, put, put);
        assertRefused(HeadmastException.Invalid.class, put, nested(put));
        assertRefused(HeadmastException.Invalid.class, nested(put), nested(put));
        assertEquals(List.of(), names());
    }

    @Test
    default void keyIsNotPutAndDeleted() {
        Op put = Op.put(key("a"), Payload.empty());
        assertRefused(HeadmastException.Invalid.class, put, Op.delete(key("a")));
        assertRefused(HeadmastException.Invalid.class, Op.delete(key("a")), put);
        assertRefused(HeadmastException.Invalid.class, put, new Op.Delete(KeyRange.prefix(prefix())));
        assertRefused(HeadmastException.Invalid.class, nested(Op.delete(key("a"))), nested(put));
        assertRefused(HeadmastException.Invalid.class, Op.delete(key("a")), nested(put));
        assertEquals(List.of(), names());
    }

    @Test
    default void keyMayBeDeletedTwice() {
        put("a", "");
        TxnResult result = commit(Op.delete(key("a")), new Op.Delete(KeyRange.prefix(prefix())));
        assertEquals(List.of(new OpResult.Deleted(1), new OpResult.Deleted(0)), result.results());
    }

    @Test
    default void branchesThatExcludeEachOtherMayWriteTheSameKey() {
        Op put = Op.put(key("a"), Payload.empty());
        commit(new Txn(List.of(), List.of(put), List.of(put)));
        commit(new Op.Nested(new Txn(List.of(), List.of(put), List.of(put))));
        assertEquals(2, read("a").orElseThrow().version());
    }

    @Test
    default void keyIsNotEmpty() {
        assertRefused(HeadmastException.Invalid.class, Op.put("", Payload.empty()));
        assertFails(HeadmastException.Invalid.class, store().txn(new Txn(List.of(Compare.absent("")), List.of())));
    }

    @Test
    default void asManyOperationsAsTheLimitFitAndNotOneMore() {
        commit(puts(KeyValueStore.MAX_TXN_OPS));
        assertEquals(KeyValueStore.MAX_TXN_OPS, names().size());
        assertRefused(HeadmastException.TooLarge.class, puts(KeyValueStore.MAX_TXN_OPS + 1));
    }

    @Test
    default void comparesAreLimitedToo() {
        List<Compare> compares = IntStream.range(0, KeyValueStore.MAX_TXN_OPS + 1)
                .mapToObj(i -> Compare.absent(key("absent" + i)))
                .toList();
        assertTrue(
                commit(new Txn(compares.subList(1, compares.size()), List.of())).succeeded());
        assertFails(HeadmastException.TooLarge.class, store().txn(new Txn(compares, List.of())));
    }

    /** The budget of a transaction full of steps: 123 of them leave 5 operations to each. */
    @Test
    default void nestedTransactionsShareWhatTheOuterOneLeaves() {
        TxnResult result = commit(steps(123));
        assertEquals(123, result.results().size());
        assertEquals(246, names().size());
        assertRefused(HeadmastException.TooLarge.class, steps(124));
    }

    @Test
    default void largeRequestIsRefused() {
        var half = Payload.wrap(new byte[KeyValueStore.MAX_REQUEST_BYTES / 2]);
        assertRefused(HeadmastException.TooLarge.class, Op.put(key("a"), half), Op.put(key("b"), half));
        // Larger than a gRPC message may be, which is refused in another place.
        var huge = Payload.wrap(new byte[2 * KeyValueStore.MAX_REQUEST_BYTES]);
        assertRefused(HeadmastException.TooLarge.class, Op.put(key("a"), huge));
        assertEquals(List.of(), names());
    }

    private Op[] puts(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Op.put(key("k" + i), Payload.empty()))
                .toArray(Op[]::new);
    }

    private Op[] steps(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (Op) new Op.Nested(new Txn(
                        IntStream.range(0, 5)
                                .mapToObj(c -> Compare.absent(key("absent" + c)))
                                .toList(),
                        List.of(
                                Op.put(key("one" + i), Payload.of("step")),
                                Op.put(key("two" + i), Payload.of("step"))))))
                .toArray(Op[]::new);
    }

    private static Op nested(Op op) {
        return new Op.Nested(Txn.of(List.of(op)));
    }
}
