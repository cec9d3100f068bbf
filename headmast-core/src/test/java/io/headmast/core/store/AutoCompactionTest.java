// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.core.store.AutoCompaction.Keep;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class AutoCompactionTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final FakeHistory history = new FakeHistory();

    @Test
    void keepsTheTimeWhenThatIsMore() {
        start(new Keep(Duration.ofMinutes(10), 5));
        history.revision = 100;
        loop.advance(Duration.ofMinutes(9));
        assertEquals(List.of(), history.compactions);
        history.revision = 1000;
        loop.advance(Duration.ofMinutes(2));
        assertEquals(List.of(1L, 100L), history.compactions);
        loop.advance(Duration.ofMinutes(10));
        assertEquals(List.of(1L, 100L, 995L), history.compactions);
    }

    @Test
    void keepsTheRevisionsWhenTheyAreMore() {
        start(new Keep(Duration.ofMinutes(10), 10_000));
        history.revision = 9_000;
        loop.advance(Duration.ofHours(1));
        assertEquals(List.of(), history.compactions);
        history.revision = 10_007;
        loop.advance(Duration.ofHours(1));
        assertEquals(List.of(7L), history.compactions);
    }

    @Test
    void triesAgainAfterAFailureButNotWhenOthersWereFirst() {
        start(new Keep(Duration.ofMinutes(10), 5));
        history.revision = 50;
        history.failure = new IllegalStateException("not now");
        loop.advance(Duration.ofMinutes(12));
        int tried = history.compactions.size();
        history.failure = new CompactedException(60);
        loop.advance(Duration.ofMinutes(1));
        assertEquals(tried + 1, history.compactions.size());
        loop.advance(Duration.ofHours(1));
        assertEquals(tried + 1, history.compactions.size());
    }

    @Test
    void nothingFollowsItsClose() {
        AutoCompaction compaction = start(new Keep(Duration.ofMinutes(10), 5));
        history.revision = 50;
        loop.advance(Duration.ofMinutes(5));
        compaction.close();
        loop.advance(Duration.ofHours(1));
        assertEquals(List.of(), history.compactions);
    }

    private AutoCompaction start(Keep keep) {
        var compaction = new AutoCompaction(loop, history, keep);
        compaction.start();
        return compaction;
    }

    private static final class FakeHistory implements AutoCompaction.History {
        private final List<Long> compactions = new ArrayList<>();
        private long revision = 1;
        private RuntimeException failure;

        @Override
        public CompletableFuture<Long> revision() {
            return CompletableFuture.completedFuture(revision);
        }

        @Override
        public CompletableFuture<?> compact(long at) {
            compactions.add(at);
            return failure == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(failure);
        }
    }
}
