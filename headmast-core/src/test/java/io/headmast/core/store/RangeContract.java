// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading: ranges, pages, revisions, compaction. */
public interface RangeContract extends StoreSubject {
    @Test
    default void keyTellsItsHistory() {
        long created = put("a", "one");
        long modified = put("a", "two");
        assertTrue(modified > created);
        assertEquals(
                new KeyValue(key("a"), Payload.of("two"), created, modified, 2, 0),
                read("a").orElseThrow());

        commit(Op.delete(key("a")));
        assertTrue(read("a").isEmpty());

        long again = put("a", "three");
        assertEquals(
                new KeyValue(key("a"), Payload.of("three"), again, again, 1, 0),
                read("a").orElseThrow());
    }

    @Test
    default void readsTellTheStoresRevision() {
        long revision = put("a", "one");
        RangeResult result = read(KeyRange.prefix(prefix()));
        assertEquals(revision, result.revision());
        put("a", "two");
        // Also a read of the past tells the present revision.
        assertEquals(
                revision + 1,
                get(store().range(new RangeRequest(KeyRange.prefix(prefix()), 0, revision)))
                        .revision());
    }

    @Test
    default void prefixesEndWhereTheyShould() {
        for (String name : List.of("a", "a-b", "a.b", "a/b", "a/~", "a0", "ab", "a~", "b")) {
            put(name, "");
        }
        assertEquals(List.of("a/b", "a/~"), namesIn(KeyRange.prefix(key("a/"))));
        assertEquals(List.of("a~"), namesIn(KeyRange.prefix(key("a~"))));
        assertEquals(List.of("a", "a-b", "a.b", "a/b", "a/~", "a0", "ab", "a~"), namesIn(KeyRange.prefix(key("a"))));
        assertEquals(List.of("a"), namesIn(KeyRange.key(key("a"))));
    }

    @Test
    default void keysAreBytesInUnsignedOrder() {
        List<String> names =
                List.of("\0", "\u0001", "\u007f", "\u0080", "\u00fe", "\u00ff", "\u00ff\0", "\u00ff\u00ff");
        for (int i = names.size() - 1; i >= 0; i--) {
            put(names.get(i), "");
        }
        assertEquals(names, names());
        assertEquals(names.subList(5, 8), namesIn(KeyRange.prefix(key("\u00ff"))));
        assertEquals(names.subList(3, 4), namesIn(KeyRange.prefix(key("\u0080"))));
    }

    @Test
    default void emptyRangesAreEmpty() {
        put("b", "");
        assertEquals(List.of(), namesIn(new KeyRange(key("b"), key("b"))));
        assertEquals(List.of(), namesIn(new KeyRange(key("c"), key("a"))));
    }

    @Test
    default void unboundedRangeReachesToTheEnd() {
        put("a", "");
        put("b", "");
        List<KeyValue> items = read(new KeyRange(key("b"), "")).items();
        assertEquals(key("b"), items.get(0).key());
        assertTrue(read(new KeyRange("", "")).items().size() >= 2);
    }

    @Test
    default void pagesLeaveNothingOutAndRepeatNothing() {
        for (int i = 0; i < 10; i++) {
            put("k" + i, "");
        }
        List<String> seen = new ArrayList<>();
        KeyRange rest = KeyRange.prefix(prefix());
        RangeResult page = get(store().range(new RangeRequest(rest, 3, 0)));
        while (page.more()) {
            assertEquals(3, page.items().size());
            page.items().forEach(item -> seen.add(item.key()));
            rest = rest.after(seen.get(seen.size() - 1));
            page = get(store().range(new RangeRequest(rest, 3, 0)));
        }
        page.items().forEach(item -> seen.add(item.key()));
        assertEquals(
                read(KeyRange.prefix(prefix())).items().stream()
                        .map(KeyValue::key)
                        .toList(),
                seen);
    }

    @Test
    default void limitThatFitsExactlyLeavesNoMore() {
        put("a", "");
        put("b", "");
        RangeResult result = get(store().range(new RangeRequest(KeyRange.prefix(prefix()), 2, 0)));
        assertEquals(2, result.items().size());
        assertFalse(result.more());
    }

    @Test
    default void pastCanBeRead() {
        long first = put("a", "one");
        put("a", "two");
        long deleted = commit(Op.delete(key("a"))).revision();
        put("b", "new");

        assertEquals("one", at(first).get(0).value().toText());
        assertEquals("two", at(first + 1).get(0).value().toText());
        assertEquals(List.of(), at(deleted));
        assertEquals(List.of(), at(first - 1));
    }

    @Test
    default void futureCannotBeRead() {
        var request = new RangeRequest(KeyRange.prefix(prefix()), 0, revision() + 1000);
        assertFails(HeadmastException.Invalid.class, store().range(request));
    }

    @Test
    default void largeValueComesBackWhole() {
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        commit(Op.put(key("big"), Payload.of(bytes)));
        assertEquals(Payload.of(bytes), read("big").orElseThrow().value());
    }

    @Test
    default void compactionEndsThePastBeforeIt() {
        long first = put("a", "one");
        long second = put("a", "two");
        put("a", "three");
        get(store().compact(second));

        assertEquals("two", at(second).get(0).value().toText());
        assertEquals("three", read("a").orElseThrow().value().toText());
        var older = new RangeRequest(KeyRange.prefix(prefix()), 0, first);
        assertFails(CompactedException.class, store().range(older));
        assertFails(CompactedException.class, store().compact(second));
        assertFails(CompactedException.class, store().compact(first));
        assertFails(HeadmastException.Invalid.class, store().compact(revision() + 1000));
    }

    @Test
    default void compactionAtADeletionKeepsTheKeyDeleted() {
        put("a", "one");
        long deleted = commit(Op.delete(key("a"))).revision();
        put("b", "later");
        get(store().compact(deleted));
        assertEquals(List.of(), at(deleted));
        long again = put("a", "again");
        assertEquals(again, read("a").orElseThrow().createRevision());
    }

    private List<String> namesIn(KeyRange range) {
        return read(range).items().stream()
                .map(item -> item.key().substring(prefix().length()))
                .toList();
    }

    private List<KeyValue> at(long revision) {
        return get(store().range(new RangeRequest(KeyRange.prefix(prefix()), 0, revision)))
                .items();
    }
}
