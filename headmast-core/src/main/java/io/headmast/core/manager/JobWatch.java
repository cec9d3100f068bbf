// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobChange;
import java.time.Duration;

/**
 * One watch of a {@link JobFeed}: each change once, in the order of the revisions, and by ascending id within one. It is
 * pulled, so a slow reader costs no memory; it belongs to one thread, except {@link #close()}.
 */
public interface JobWatch extends AutoCloseable {
    /** What {@link #next} gives. */
    sealed interface Notice {
        long revision();
    }

    /**
     * A job changed.
     *
     * @param last whether it is the last change of its revision
     */
    record Change(long revision, JobChange change, boolean last) implements Notice {}

    /** Nothing else changed up to that revision, from which a watch can be taken up. */
    record Progress(long revision) implements Notice {}

    /**
     * The next change, or a progress when none comes within {@code limit}.
     *
     * @throws HeadmastException.Gone if the reader is so far behind that the store doesn't have the next revision any
     *     more: start again from a list
     * @throws HeadmastException.Unavailable if this server can't tell now, or stops: take the watch up elsewhere or later
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Notice next(Duration limit) throws InterruptedException;

    /** Ends the watch; a {@link #next} that waits fails with {@code Unavailable}. From any thread. */
    @Override
    void close();
}
