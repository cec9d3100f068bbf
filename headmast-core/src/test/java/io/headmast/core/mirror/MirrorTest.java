// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Payload;
import io.headmast.core.store.Op;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is seen, once and in order, and over a break. */
final class MirrorTest extends MirrorCase {
    @Test
    void whatWasThereAndWhatComesIsSeenOnceAndInOrder() {
        long first = put("a", "1");
        start();
        long second = put("a", "2");
        long third = put("b", "3");
        delete("a");
        long fifth = put("a", "4");
        settle();
        assertEquals(List.of(first, second, fifth), replica.revisionsOf(PREFIX + "a"));
        assertEquals(List.of(third), replica.revisionsOf(PREFIX + "b"));
        assertEquals(5, replica.seen.size());
        assertExact();
    }

    @Test
    void emptyPrefixIsListedToo() {
        start();
        assertEquals(1, replica.moves);
        assertTrue(mirror.isFollowing());
        assertExact();
    }

    @Test
    void neighboursOfThePrefixAreNotSeen() {
        commit(Op.put("/p", Payload.of("x")));
        commit(Op.put("/p0", Payload.of("x")));
        commit(Op.put("/q", Payload.of("x")));
        start();
        commit(Op.put("/p", Payload.of("y")));
        commit(Op.put("/p0", Payload.of("y")));
        put("~", "z");
        settle();
        assertEquals(List.of(PREFIX + "~"), List.copyOf(replica.entries.keySet()));
    }

    @Test
    void whatOneRevisionChangedIsShownTogether() {
        start();
        int before = replica.moves;
        commit(Op.put(PREFIX + "a", Payload.of("1")), Op.put(PREFIX + "b", Payload.of("2")));
        settle();
        assertEquals(before + 1, replica.moves);
        assertExact();
    }

    @Test
    void skippedValueCountsAsAbsent() {
        put("a", Replica.SKIPPED);
        start();
        put("a", "1");
        put("a", Replica.SKIPPED + "again");
        put("a", Replica.SKIPPED + "and again");
        settle();
        assertEquals(2, replica.seen.size());
        assertEquals(0, replica.entries.size());
        assertExact();
    }

    @Test
    void brokenWatchCostsNoChange() {
        start();
        way.holdWatches();
        put("a", "1");
        put("a", "2");
        put("b", "1");
        delete("b");
        way.breakWatches();
        way.heal();
        settle();
        assertExact();
        assertEquals(1, replica.seen.size(), "differences are against what was known");
        assertEquals(1, way.openWatches());
    }

    @Test
    void deletionsDuringABreakAreSeen() {
        put("a", "1");
        put("b", "1");
        start();
        way.holdWatches();
        delete("a");
        delete("b");
        put("b", "2");
        way.breakWatches();
        way.heal();
        settle();
        assertEquals(4, replica.seen.size());
        assertExact();
    }

    @Test
    void compactionUnderABrokenWatchCostsNoChange() {
        put("a", "1");
        start();
        way.holdWatches();
        put("a", "2");
        long last = delete("a");
        var compacted = store.compact(last);
        way.breakWatches();
        way.heal();
        settle();
        assertTrue(compacted.isDone());
        assertExact();
    }

    @Test
    void everyRevisionIsAMoveOfItsOwn() {
        start();
        int before = replica.moves;
        way.holdWatches();
        put("a", "1");
        put("a", "2");
        commit(Op.put(PREFIX + "a", Payload.of("3")), Op.put(PREFIX + "b", Payload.of("1")));
        way.heal();
        settle();
        assertEquals(before + 3, replica.moves);
        assertExact();
    }

    @Test
    void whatCameAndWentUnderAListingIsSaidToHaveBeenPassedOver() {
        start();
        way.holdWatches();
        put("a", "1");
        long last = delete("a");
        way.breakWatches();
        settle();
        assertEquals(last, mirror.revision());
        assertEquals(0, replica.passedOver, "nobody can know yet");
        way.heal();
        put("b", "1");
        settle();
        assertEquals(1, replica.passedOver);
        assertEquals(1, replica.seen.size());
        assertExact();
    }

    @Test
    void listingThatPassedNothingOverSaysNothing() {
        put("a", "1");
        start();
        way.breakWatches();
        commit(Op.put("/q", Payload.of("x")));
        settle();
        put("b", "1");
        settle();
        assertEquals(0, replica.passedOver);
        assertExact();
    }

    @Test
    void whatIsCompactedMayHaveBeenPassedOver() {
        start();
        way.holdWatches();
        put("a", "1");
        long last = delete("a");
        var compacted = store.compact(last);
        way.breakWatches();
        way.heal();
        time.advance(Duration.ofSeconds(1));
        assertTrue(compacted.isDone());
        assertEquals(1, replica.passedOver);
        put("b", "1");
        settle();
        assertExact();
    }

    @Test
    void mirrorThatBeginsInThePastSeesEveryRevisionSince() {
        long first = put("a", "1");
        long second = put("a", "2");
        long third = put("b", "1");
        mirror.startAt(second);
        settle();
        assertEquals(List.of(second), replica.revisionsOf(PREFIX + "a"));
        assertEquals(List.of(third), replica.revisionsOf(PREFIX + "b"));
        assertEquals(2, replica.moves);
        assertTrue(first < second);
        assertExact();
    }

    @Test
    void pastThatIsCompactedIsTroubleAndThePresentIsTaken() {
        long first = put("a", "1");
        var compacted = store.compact(put("a", "2"));
        time.runUntilIdle();
        assertTrue(compacted.isDone());
        mirror.startAt(first);
        time.advance(Duration.ofSeconds(1));
        assertEquals(1, replica.troubles);
        assertExact();
    }
}
