// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Whatever fails, nobody writes the same key over and over: what can't be done is tried again after a pause. */
final class NothingInALoop implements Invariant {
    private static final int MOST = 25;
    private static final long WITHIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final World world;
    private final Map<String, Deque<Long>> written = new HashMap<>();

    NothingInALoop(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        long now = world.time().nanoTime();
        for (Commit.Change change : commit.changes()) {
            Deque<Long> times = written.computeIfAbsent(change.key(), key -> new ArrayDeque<>());
            times.add(now);
            while (now - times.getFirst() > WITHIN_NANOS) {
                times.remove();
            }
            if (times.size() > MOST) {
                world.violated(name(), change.key() + " was written " + times.size() + " times within a second");
            }
        }
    }
}
