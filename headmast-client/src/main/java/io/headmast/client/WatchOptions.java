// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.util.OptionalLong;

/**
 * How jobs are watched. Immutable.
 *
 * @param after the changes of later revisions are told; without it those from now on
 * @param payloads whether jobs come with their payloads; they are empty otherwise
 */
public record WatchOptions(OptionalLong after, boolean payloads) {
    /** From now on, with payloads. */
    public static final WatchOptions DEFAULT = new WatchOptions(OptionalLong.empty(), true);

    /** @throws HeadmastException.Invalid if it is no revision */
    public WatchOptions {
        if (after.isPresent() && after.getAsLong() < 0) {
            throw new HeadmastException.Invalid("after", "must be a revision, and so not negative");
        }
    }

    /**
     * The changes after that revision: where an earlier watch stood ({@link JobWatch#revision()}), or that of a list's
     * first page ({@link io.headmast.api.JobPage}), after which a watch misses nothing that the list doesn't show.
     */
    public WatchOptions after(long revision) {
        return new WatchOptions(OptionalLong.of(revision), payloads);
    }

    public WatchOptions withoutPayloads() {
        return new WatchOptions(after, false);
    }
}
