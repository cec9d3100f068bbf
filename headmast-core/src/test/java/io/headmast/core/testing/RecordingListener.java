// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Keeps what a watch delivers, and checks what every watch promises while it does. Thread-safe. */
public final class RecordingListener implements WatchListener {
    private final List<List<WatchEvent>> batches = new ArrayList<>();
    private final List<Throwable> broken = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private long lastRevision;
    private long progress = -1;
    private int progressCalls;

    @Override
    public synchronized void onEvents(long revision, List<WatchEvent> events) {
        check(broken.isEmpty(), "events after the end");
        check(!events.isEmpty(), "a batch without events");
        for (WatchEvent event : events) {
            // Equal to the last of the batch before: a revision was split.
            check(event.revision() >= lastRevision, "revisions descend");
            check(batches.isEmpty() || event.revision() > lastOf(batches), "a revision is split over batches");
            lastRevision = event.revision();
        }
        check(revision == lastRevision, "batch up to " + revision + " ends at " + lastRevision);
        batches.add(List.copyOf(events));
    }

    @Override
    public synchronized void onProgress(long revision) {
        check(broken.isEmpty(), "progress after the end");
        check(revision >= progress && revision >= lastRevision, "progress runs backwards");
        progress = revision;
        progressCalls++;
    }

    @Override
    public synchronized void onBroken(Throwable cause) {
        broken.add(cause);
        check(broken.size() == 1, "broken more than once");
    }

    /** Every event so far. */
    public synchronized List<WatchEvent> events() {
        verify();
        return batches.stream().flatMap(List::stream).toList();
    }

    /** Every batch so far. */
    public synchronized List<List<WatchEvent>> batches() {
        verify();
        return List.copyOf(batches);
    }

    /** Why the watch ended, if it did. */
    public synchronized List<Throwable> broken() {
        verify();
        return List.copyOf(broken);
    }

    /** The revision of the last progress report. */
    public synchronized OptionalLong progress() {
        verify();
        return progress < 0 ? OptionalLong.empty() : OptionalLong.of(progress);
    }

    /** How many progress reports came. */
    public synchronized int progressCalls() {
        return progressCalls;
    }

    private static long lastOf(List<List<WatchEvent>> batches) {
        List<WatchEvent> last = batches.get(batches.size() - 1);
        return last.get(last.size() - 1).revision();
    }

    private void check(boolean holds, String problem) {
        if (!holds) {
            violations.add(problem);
        }
    }

    private void verify() {
        if (!violations.isEmpty()) {
            throw new AssertionError("the watch broke its contract: " + violations);
        }
    }
}
