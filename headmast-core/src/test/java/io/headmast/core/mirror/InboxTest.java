// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.core.store.WatchEvent;
import io.headmast.core.testing.VirtualLoop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InboxTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final List<Inbox.Content> drained = new ArrayList<>();
    private final Inbox inbox = new Inbox(loop, from -> drained.add(from.take()));

    private static List<WatchEvent> events(int count, long revision) {
        return Collections.nCopies(count, new WatchEvent.Delete("k", revision));
    }

    @Test
    void whatArrivesTogetherIsDrainedOnce() {
        inbox.onEvents(5, events(2, 5));
        inbox.onEvents(6, events(1, 6));
        inbox.onProgress(9);
        loop.runUntilIdle();
        assertEquals(1, drained.size());
        assertEquals(3, drained.get(0).events().size());
        assertEquals(9, drained.get(0).upTo());
        assertTrue(drained.get(0).broken().isEmpty());
    }

    @Test
    void overrunInboxIsBrokenAndClaimsNothing() {
        inbox.onEvents(5, events(Inbox.MAX_EVENTS, 5));
        inbox.onEvents(6, events(1, 6));
        // The watch doesn't know yet.
        inbox.onEvents(7, events(1, 7));
        inbox.onProgress(8);
        loop.runUntilIdle();
        assertEquals(1, drained.size());
        assertEquals(List.of(), drained.get(0).events());
        assertEquals(0, drained.get(0).upTo(), "nothing up to any revision was delivered");
        assertTrue(drained.get(0).broken().isPresent());
    }

    @Test
    void fullInboxIsNotOverrun() {
        inbox.onEvents(5, events(Inbox.MAX_EVENTS, 5));
        loop.runUntilIdle();
        inbox.onEvents(6, events(1, 6));
        loop.runUntilIdle();
        assertEquals(2, drained.size());
        assertTrue(drained.stream().allMatch(content -> content.broken().isEmpty()));
    }
}
