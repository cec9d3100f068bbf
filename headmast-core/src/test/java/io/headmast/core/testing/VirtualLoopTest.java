// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VirtualLoopTest {
    private final VirtualLoop loop = new VirtualLoop();
    private final List<String> ran = new ArrayList<>();

    @Test
    void nothingRunsByItself() {
        loop.execute(() -> ran.add("task"));
        assertEquals(List.of(), ran);
        loop.runUntilIdle();
        assertEquals(List.of("task"), ran);
        assertEquals(0, loop.nanoTime());
    }

    @Test
    void tasksRunInTheOrderOfTheirTimesAndThenOfSending() {
        schedule("b", 2);
        schedule("a", 1);
        schedule("c", 2);
        loop.execute(() -> ran.add("now"));
        loop.advance(Duration.ofSeconds(2));
        assertEquals(List.of("now", "a", "b", "c"), ran);
    }

    @Test
    void timeStopsAtEachTask() {
        loop.schedule(Duration.ofSeconds(1), () -> ran.add("at " + loop.nanoTime()));
        loop.advance(Duration.ofSeconds(5));
        assertEquals(List.of("at 1000000000"), ran);
        assertEquals(5_000_000_000L, loop.nanoTime());
    }

    @Test
    void whatTasksSendRunsToo() {
        loop.schedule(Duration.ofSeconds(1), () -> schedule("second", 1));
        loop.advance(Duration.ofMillis(1999));
        assertEquals(List.of(), ran);
        loop.advance(Duration.ofMillis(1));
        assertEquals(List.of("second"), ran);
    }

    @Test
    void cancelledTimerDoesNotRun() {
        EventLoop.Timer timer = loop.schedule(Duration.ofSeconds(1), () -> ran.add("timer"));
        timer.cancel();
        loop.advance(Duration.ofSeconds(2));
        assertEquals(List.of(), ran);
    }

    @Test
    void bugEndsTheCallThatRanIt() {
        loop.execute(() -> {
            throw new IllegalStateException("bug");
        });
        loop.execute(() -> ran.add("next"));
        assertThrows(IllegalStateException.class, loop::runUntilIdle);
        loop.runUntilIdle();
        assertEquals(List.of("next"), ran);
    }

    private void schedule(String name, long seconds) {
        loop.schedule(Duration.ofSeconds(seconds), () -> ran.add(name));
    }
}
