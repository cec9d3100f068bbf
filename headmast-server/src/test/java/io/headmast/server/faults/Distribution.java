// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Durations that were measured, as figures. */
final class Distribution {
    private final List<Duration> sorted = new ArrayList<>();

    void add(Duration measured) {
        sorted.add(measured);
        Collections.sort(sorted);
    }

    /** The least of those that at most so many of a hundred exceed. */
    Duration percentile(int percent) {
        int rank = (int) Math.ceil(percent / 100.0 * sorted.size());
        return sorted.get(Math.max(rank, 1) - 1);
    }

    @Override
    public String toString() {
        return "n " + sorted.size() + ", min " + percentile(0).toMillis() + " ms, median "
                + percentile(50).toMillis() + " ms, p95 " + percentile(95).toMillis() + " ms, max "
                + percentile(100).toMillis() + " ms";
    }
}
