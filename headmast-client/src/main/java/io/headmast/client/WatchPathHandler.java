// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.ChangeReason;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;

/**
 * What is told of the jobs that are watched; the seed's {@code WatchPathHandler}, which learns what has changed, too.
 *
 * <p>The calls for one watch come from one thread, in the order of the changes, and never overlap. While a call takes its
 * time nothing more is read. A server that can't get rid of its events for half a minute gives the connection up; the
 * watch then goes on from where it was, so slowness loses nothing as long as the store keeps the history.
 *
 * <p>An exception ends the watch, so that no change is passed over in silence: {@link #ended} gets it, and {@link
 * JobWatch#revision()} stays before the revision that was under way.
 */
@FunctionalInterface
public interface WatchPathHandler {
    /**
     * A job was changed.
     *
     * @param path what is watched
     * @param job as it was after the change; as it was last, if it was deleted
     */
    void changed(JobPath path, JobView job, ChangeReason change);

    /**
     * Everything up to that revision was told: after each revision's last change, and from time to time when nothing
     * changes. What is kept of it lets a later program go on from there ({@link WatchOptions#after}).
     */
    default void progressed(JobPath path, long revision) {}

    /**
     * The watch has lost its server and looks for another one, for as long as it takes; no change is lost. Comes again
     * with every round in vain.
     */
    default void interrupted(JobPath path, Exception why) {}

    /**
     * The watch is over, and nothing is told any more; doesn't come when it was closed.
     *
     * @param why {@link io.headmast.api.HeadmastException.Gone}: the store doesn't have what would have to be told next;
     *     start again from a list. Another one of that family: a server has said no, or told something that can't be
     *     understood. Else what this handler has thrown
     */
    default void ended(JobPath path, Throwable why) {}
}
