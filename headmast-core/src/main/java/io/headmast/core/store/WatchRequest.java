// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/**
 * What to watch, and from when.
 *
 * @param range which keys
 * @param fromRevision the first revision to deliver, at least 1; may lie in the past (compaction permitting) or the
 *     future. Never "from now on", which would leave open what that is: list first, then watch from the next revision.
 */
public record WatchRequest(KeyRange range, long fromRevision) {
    public WatchRequest {
        if (fromRevision < 1) {
            throw new IllegalArgumentException("a watch begins at a revision, not at " + fromRevision);
        }
    }
}
