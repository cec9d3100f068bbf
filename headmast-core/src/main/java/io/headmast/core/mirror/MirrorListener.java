// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import java.util.List;

/** Follows a mirror, on the mirror's loop. */
public interface MirrorListener<V> {
    /**
     * The mirror has moved to {@code revision}.
     *
     * @param differences those that the one revision made, at most one of a key; empty when nothing under the prefix
     *     changed
     */
    void moved(long revision, List<Difference<V>> differences);

    /**
     * The mirror has moved by a listing, which passes over the revisions in between.
     *
     * @param differences against what was known before, at most one of a key. When there are none, nothing but what came
     *     and went in between can have been passed over; if anything was, {@link #passedOver} tells so before the next
     *     {@link #moved}.
     */
    default void listed(long revision, List<Difference<V>> differences) {
        moved(revision, differences);
    }

    /** Before the revision that the mirror stands at, keys came and went that no difference told. */
    default void passedOver() {}

    /** A listing failed or the watch ended, for that reason; the mirror tries again by itself. */
    default void troubled(Throwable cause) {}
}
