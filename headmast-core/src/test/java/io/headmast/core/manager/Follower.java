// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.JobPath;
import io.headmast.core.manager.ToldHistory.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads a watch as a client does: it goes on elsewhere after the last revision that it has the whole of. */
final class Follower {
    final JobPath path;
    final long from;
    final List<Told> told = new ArrayList<>();
    private final List<Told> ofRevision = new ArrayList<>();
    private JobWatch watch;
    private long position;

    Follower(JobPath path, long from, JobWatch watch) {
        this.path = path;
        this.from = from;
        this.position = from;
        this.watch = watch;
    }

    /** Where to take the watch up. */
    long position() {
        return position;
    }

    void goOnWith(JobWatch next) {
        watch.close();
        ofRevision.clear();
        watch = next;
    }

    void close() {
        watch.close();
    }

    /** Reads what is there, up to so many changes. */
    void read(int atMost) {
        for (int i = 0; i < atMost; i++) {
            if (next(Duration.ZERO) instanceof JobWatch.Progress) {
                return;
            }
        }
    }

    JobWatch.Notice next(Duration limit) {
        try {
            JobWatch.Notice notice = watch.next(limit);
            take(notice);
            return notice;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void take(JobWatch.Notice notice) {
        if (notice.revision() < position) {
            throw new AssertionError("from " + position + " back to " + notice);
        }
        if (notice instanceof JobWatch.Change change) {
            if (change.revision() <= position) {
                throw new AssertionError("told again after " + position + ": " + notice);
            }
            ofRevision.add(new Told(change.revision(), change.change()));
            if (!change.last()) {
                return;
            }
            told.addAll(ofRevision);
            ofRevision.clear();
        }
        if (ofRevision.isEmpty()) {
            position = notice.revision();
        }
    }
}
