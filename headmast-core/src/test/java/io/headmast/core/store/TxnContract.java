// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions: compares, branches, nesting, revisions. */
public interface TxnContract extends StoreSubject {
    @Test
    default void writesOfATransactionShareOneRevision() {
        put("gone", "");
        long before = revision();
        TxnResult result = commit(
                Op.put(key("a"), Payload.of("1")),
                Op.delete(key("gone")),
                nested(List.of(), Op.put(key("b"), Payload.of("2"))));
        assertEquals(before + 1, result.revision());
        assertEquals(before + 1, result.nested(2).revision());
        assertEquals(before + 1, read("a").orElseThrow().modRevision());
        assertEquals(before + 1, read("b").orElseThrow().modRevision());
        assertEquals(before + 1, revision());
    }

    @Test
    default void deletingNothingTakesNoRevision() {
        long before = revision();
        TxnResult result = commit(Op.delete(key("nothing")), new Op.Delete(KeyRange.prefix(key("none/"))));
        assertEquals(List.of(new OpResult.Deleted(0), new OpResult.Deleted(0)), result.results());
        assertEquals(before, result.revision());
        assertEquals(before, revision());
    }

    @Test
    default void rangeDeletionCountsAndEndsWhereItShould() {
        List.of("a", "a/1", "a/2", "a0", "ab").forEach(name -> put(name, ""));
        TxnResult result = commit(new Op.Delete(KeyRange.prefix(key("a/"))));
        assertEquals(List.of(new OpResult.Deleted(2)), result.results());
        assertEquals(List.of("a", "a0", "ab"), names());
    }

    @Test
    default void readingTakesNoRevision() {
        long before = revision();
        assertEquals(before, commit(Op.get(key("a"))).revision());
        assertEquals(before, commit(Txn.of(List.of())).revision());
        assertEquals(before, revision());
    }

    @Test
    default void samePutAgainIsAChange() {
        long first = put("a", "same");
        assertEquals(first + 1, put("a", "same"));
    }

    @Test
    default void branchIsChosenByTheCompares() {
        long revision = put("a", "one");
        assertTrue(holds(Compare.unmodified(key("a"), revision)));
        assertFalse(holds(Compare.unmodified(key("a"), revision - 1)));
        assertTrue(holds(Compare.created(key("a"), revision)));
        assertFalse(holds(Compare.absent(key("a"))));
        assertTrue(holds(Compare.absent(key("b"))));
        assertTrue(holds(Compare.unmodified(key("b"), 0)));
        assertTrue(holds(new Compare.Value(key("a"), Payload.of("one"))));
        assertFalse(holds(new Compare.Value(key("a"), Payload.of("two"))));
        // No value, not even the empty one, equals that of a key that is absent.
        assertFalse(holds(new Compare.Value(key("b"), Payload.empty())));
        assertTrue(holds(Compare.absent(key("b")), Compare.unmodified(key("a"), revision)));
        assertFalse(holds(Compare.absent(key("b")), Compare.unmodified(key("a"), revision + 1)));
    }

    @Test
    default void failureBranchWrites() {
        var txn = new Txn(
                List.of(Compare.created(key("a"), 1)),
                List.of(Op.put(key("then"), Payload.empty())),
                List.of(Op.put(key("else"), Payload.empty()), Op.get(key("else"))));
        TxnResult result = commit(txn);
        assertFalse(result.succeeded());
        assertEquals(List.of("else"), names());
        assertEquals(key("else"), result.got(1).get(0).key());
    }

    @Test
    default void valuesAreComparedAsBytes() {
        commit(Op.put(key("a"), Payload.of(new byte[] {0, -1, -128, 127})));
        assertTrue(holds(new Compare.Value(key("a"), Payload.of(new byte[] {0, -1, -128, 127}))));
        assertFalse(holds(new Compare.Value(key("a"), Payload.of(new byte[] {0, -1, -128}))));
    }

    @Test
    default void readSeesTheWritesBeforeIt() {
        put("old", "old");
        TxnResult result = commit(
                Op.get(key("new")),
                Op.put(key("new"), Payload.of("now")),
                Op.get(key("new")),
                Op.delete(key("old")),
                new Op.Get(KeyRange.prefix(prefix())));
        assertEquals(List.of(), result.got(0));
        assertEquals(
                new KeyValue(key("new"), Payload.of("now"), result.revision(), result.revision(), 1, 0),
                result.got(2).get(0));
        assertEquals(1, result.got(4).size());
    }

    @Test
    default void readAsOfAnOlderRevisionSeesWhatWasThere() {
        long first = put("a", "1");
        long second = put("a", "2");
        commit(Op.delete(key("a")));
        TxnResult result = commit(
                Op.put(key("b"), Payload.of("now")),
                Op.get(key("a"), first),
                Op.get(key("a"), second),
                Op.get(key("a")),
                Op.get(key("b"), second));
        assertEquals("1", result.got(1).get(0).value().toText());
        assertEquals(second, result.got(2).get(0).modRevision());
        assertEquals(List.of(), result.got(3));
        assertEquals(List.of(), result.got(4));
    }

    @Test
    default void readAsOfARevisionThatIsNotThereFailsTheWholeTransaction() {
        long first = put("a", "1");
        long second = put("a", "2");
        Op write = Op.put(key("b"), Payload.of("never"));
        assertRefused(HeadmastException.Invalid.class, write, Op.get(key("a"), second + 1000));
        get(store().compact(second));
        assertRefused(CompactedException.class, write, Op.get(key("a"), first));
        assertEquals(List.of("a"), names());
    }

    @Test
    default void comparesOfNestedTransactionsSeeTheStoreAtTheStart() {
        TxnResult result = commit(
                Op.put(key("a"), Payload.of("1")),
                nested(
                        List.of(Compare.absent(key("a"))),
                        Op.put(key("b"), Payload.of("2")),
                        nested(List.of(Compare.absent(key("b"))), Op.put(key("c"), Payload.of("3")))),
                nested(List.of(Compare.absent(key("c"))), Op.put(key("d"), Payload.of("4"))));
        assertTrue(result.nested(1).succeeded());
        assertTrue(result.nested(1).nested(1).succeeded());
        assertTrue(result.nested(2).succeeded());
        assertEquals(List.of("a", "b", "c", "d"), names());
    }

    @Test
    default void failedNestedTransactionSinksOnlyItself() {
        put("taken", "");
        TxnResult result = commit(
                nested(List.of(Compare.absent(key("free"))), Op.put(key("free"), Payload.of("1"))),
                nested(List.of(Compare.absent(key("taken"))), Op.put(key("taken"), Payload.of("2"))),
                nested(List.of(Compare.absent(key("last"))), Op.put(key("last"), Payload.of("3"))));
        assertTrue(result.succeeded());
        assertTrue(result.nested(0).succeeded());
        assertFalse(result.nested(1).succeeded());
        assertTrue(result.nested(2).succeeded());
        assertEquals("", read("taken").orElseThrow().value().toText());
        assertEquals(List.of("free", "last", "taken"), names());
    }

    @Test
    default void failedOuterCompareSinksAll() {
        var txn = new Txn(
                List.of(Compare.created(key("leader"), 1)),
                List.of(nested(List.of(), Op.put(key("a"), Payload.empty()))));
        long before = revision();
        assertFalse(commit(txn).succeeded());
        assertEquals(before, revision());
    }

    private boolean holds(Compare... compares) {
        return commit(new Txn(List.of(compares), List.of())).succeeded();
    }

    private static Op nested(List<Compare> compares, Op... success) {
        return new Op.Nested(new Txn(compares, List.of(success)));
    }
}
