// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import java.util.List;

/** Follows a mirror, on the mirror's loop. */
public interface MirrorListener<V> {
    /**
     * The mirror has moved to {@code revision}.
     *
     * @param differences in order of their revisions; empty when nothing under the prefix changed. After a listing they
     *     are against what was known before, so nothing is missed over a gap.
     */
    void moved(long revision, List<Difference<V>> differences);
}
