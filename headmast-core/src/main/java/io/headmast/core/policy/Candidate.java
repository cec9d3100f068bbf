// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import java.util.Comparator;
import java.util.OptionalLong;

/**
 * A worker that may have the job, with what a choice may rest on.
 *
 * @param used the weight placed on it, placements that are not committed yet included
 * @param capacity the most it takes; empty for no limit
 * @param load what its host application reports; 0 when it reports nothing
 */
public record Candidate(String workerId, long used, OptionalLong capacity, double load) {
    /** What a worker without a limit counts as when it is compared with one that has a limit. */
    public static final long NOMINAL_CAPACITY = 1_000;

    /** The least utilised first; then by reported load, then by id. A total order. */
    public static final Comparator<Candidate> BY_UTILISATION = Comparator.comparingDouble(Candidate::utilisation)
            .thenComparingDouble(Candidate::load)
            .thenComparing(Candidate::workerId);

    /** The weight on it relative to its capacity. */
    public double utilisation() {
        return (double) used / size();
    }

    /** What its weights are compared by: its capacity, or {@value #NOMINAL_CAPACITY} without one. Positive. */
    public long size() {
        return Math.max(1, capacity.orElse(NOMINAL_CAPACITY));
    }

    /** Whether a job of that weight fits. */
    public boolean hasRoomFor(int weight) {
        return capacity.isEmpty() || used + weight <= capacity.getAsLong();
    }
}
