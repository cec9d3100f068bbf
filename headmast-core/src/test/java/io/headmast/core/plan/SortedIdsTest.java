// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** It holds what a sorted set would hold. */
class SortedIdsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomChangesLeaveWhatASortedSetHas(long seed) {
        var random = new Random(seed);
        var ids = new SortedIds();
        var expected = new TreeSet<String>();
        for (int i = 0; i < 20_000; i++) {
            String id = "j" + random.nextInt(3_000);
            // Grows, then shrinks to nearly nothing, and grows again.
            if (random.nextInt(10_000) > i % 10_000) {
                ids.add(id);
                expected.add(id);
            } else {
                ids.remove(id);
                expected.remove(id);
            }
            if (i % 500 == 0) {
                String after = "j" + random.nextInt(3_000);
                assertEquals(List.copyOf(expected.tailSet(after, false)), after(ids, after));
                assertEquals(List.copyOf(expected), after(ids, ""));
                assertEquals(expected.size(), ids.size());
            }
        }
    }

    private static List<String> after(SortedIds ids, String id) {
        List<String> found = new ArrayList<>();
        ids.after(id).forEachRemaining(found::add);
        return found;
    }
}
