// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever happens to lists and watches, the copy is right and every difference comes once. */
final class MirrorTroubleTest extends MirrorCase {
    @Test
    void silentWatchIsReplacedWithinTheLimit() {
        start();
        time.advance(Duration.ofSeconds(60));
        long ranges = way.ranges();
        assertEquals(1, ranges, "a watch that answers is left alone");
        way.holdWatches();
        put("a", "1");
        time.advance(MirrorOptions.SILENCE_LIMIT.plusMillis(100));
        assertEquals(2, way.ranges());
        assertExact();
        assertEquals(1, replica.seen.size());
    }

    @Test
    void whatAReplacedWatchStillBringsIsIgnored() {
        start();
        way.holdWatches();
        put("a", "1");
        mirror.resync("test");
        settle();
        way.heal();
        settle();
        assertEquals(1, replica.seen.size());
        assertExact();
    }

    @Test
    void resyncRepairsWhatAWatchLost() {
        put("a", "1");
        start();
        way.loseEvents(event -> event.key().equals(PREFIX + "a"));
        delete("a");
        put("b", "1");
        settle();
        assertEquals(2, replica.entries.size());
        time.advance(MirrorOptions.RESYNC_EVERY.multipliedBy(6).dividedBy(5).plusSeconds(1));
        assertEquals(1, replica.entries.size());
        assertExact();
    }

    @Test
    void listingIsTriedAgainUntilItSucceeds() {
        put("a", "1");
        way.cut();
        mirror.start();
        time.advance(Duration.ofSeconds(30));
        assertEquals(0, replica.moves);
        assertTrue(way.ranges() <= 15, () -> way.ranges() + " tries");
        way.heal();
        time.advance(Duration.ofSeconds(4));
        assertExact();
        assertEquals(1, replica.moves);
    }

    @Test
    void watchThatBreaksAtOnceAgainAndAgainIsNotListedWithoutPause() {
        start();
        for (int i = 0; i < 6000; i++) {
            way.breakWatches();
            time.advance(Duration.ofMillis(10));
        }
        assertTrue(way.ranges() <= 70, () -> way.ranges() + " listings in a minute");
        put("a", "1");
        time.advance(Duration.ofSeconds(3));
        assertExact();
    }

    @Test
    void largePrefixIsListedInPagesAsOfOneRevision() {
        for (int i = 0; i < 1000; i++) {
            put(String.format("k%04d", i), "x");
        }
        mirror.start();
        // Between the pages keys go and come on both sides of where the listing is.
        for (int i = 0; i < 5; i++) {
            time.advance(Duration.ofMillis(1));
            delete("k0000");
            delete("k0999");
            put("k0000", "y" + i);
            put("k0999", "y" + i);
        }
        settle();
        assertTrue(way.ranges() > 2);
        assertExact();
    }

    @Test
    void compactionDuringAListingStartsItAgain() {
        for (int i = 0; i < 1000; i++) {
            put(String.format("k%04d", i), "x");
        }
        mirror.start();
        time.advance(Duration.ofMillis(1));
        long last = put("k0500", "y");
        var compacted = store.compact(last);
        time.advance(Duration.ofSeconds(1));
        assertTrue(compacted.isDone());
        assertExact();
    }

    @Test
    void closedMirrorIsSilentAndLeavesNothingOpen() {
        start();
        mirror.close();
        int moves = replica.moves;
        put("a", "1");
        time.advance(Duration.ofMinutes(10));
        assertEquals(moves, replica.moves);
        assertEquals(0, way.openWatches());
        assertEquals(1, way.ranges());
        assertFalse(mirror.isFollowing());
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void randomTroubleLosesAndRepeatsNothing(long seed) {
        var random = new Random(seed);
        way.latency(() -> Duration.ofMillis(random.nextInt(20)));
        mirror.start();
        List<Runnable> trouble = new ArrayList<>(List.of(
                way::breakWatches,
                way::holdWatches,
                way::heal,
                way::heal,
                way::cut,
                loop::pause,
                loop::resume,
                loop::resume,
                () -> mirror.resync("test"),
                () -> compact(random)));
        for (int i = 0; i < 400; i++) {
            int what = random.nextInt(10);
            if (what < 5) {
                put("k" + random.nextInt(12), (random.nextInt(6) == 0 ? Replica.SKIPPED : "v") + i);
            } else if (what < 7) {
                delete("k" + random.nextInt(12));
            } else if (what < 8) {
                trouble.get(random.nextInt(trouble.size())).run();
            }
            time.advance(Duration.ofMillis(random.nextInt(300)));
        }
        way.heal();
        loop.resume();
        long last = put("end", "end");
        time.advance(Duration.ofSeconds(10));
        assertTrue(replica.revision >= last);
        assertExact();
    }

    private void compact(Random random) {
        if (replica.revision > 2) {
            var unused = store.compact(replica.revision - random.nextInt(2));
        }
    }
}
