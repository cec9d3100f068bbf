// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobChange;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.manager.JobFeed;
import io.headmast.core.manager.JobWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A feed whose history the test makes, and whose time passes when the test says so. Thread-safe. */
final class InMemoryFeed implements JobFeed {
    private static final long FIRST = 100;
    private static final RunState PENDING = RunState.unplaced(Phase.PENDING, 1, 0, Instant.EPOCH, "waits");

    private final List<Revision> history = new ArrayList<>();
    private long compacted = FIRST;
    private Duration time = Duration.ZERO;
    private @Nullable RuntimeException failure;
    private int open;

    /** Those that have seen what there is. */
    private final Set<Watch> waiting = new HashSet<>();

    private record Revision(List<JobChange> changes, boolean complete) {}

    static JobChange added(Job job) {
        return new JobChange(ChangeReason.ADDED, new JobView(job, FIRST, PENDING));
    }

    /** What changed at the next revision, which it returns. */
    synchronized long tell(JobChange... changes) {
        history.add(new Revision(List.of(changes), true));
        wakeAll();
        return now();
    }

    /** The same, but the last change is not known before {@link #complete()}. */
    synchronized void begin(JobChange... changes) {
        history.add(new Revision(List.of(changes), false));
        wakeAll();
    }

    synchronized void complete() {
        history.set(
                history.size() - 1, new Revision(history.get(history.size() - 1).changes(), true));
        wakeAll();
    }

    synchronized void elapse(Duration duration) {
        time = time.plus(duration);
        wakeAll();
    }

    /** Forgets everything up to now. */
    synchronized void compact() {
        compacted = now();
        wakeAll();
    }

    /** From now on every watch fails so. */
    synchronized void fail(RuntimeException cause) {
        failure = cause;
        wakeAll();
    }

    synchronized long now() {
        return FIRST + history.size();
    }

    synchronized int openWatches() {
        return open;
    }

    /** How many of them have told everything and wait. */
    synchronized int waitingWatches() {
        return waiting.size();
    }

    @Override
    public synchronized CompletableFuture<JobWatch> watch(JobPath path, OptionalLong after) {
        long position = after.orElse(now());
        if (position < compacted) {
            return CompletableFuture.failedFuture(gone());
        }
        if (position > now()) {
            return CompletableFuture.failedFuture(new HeadmastException.Invalid("revision", "is in the future"));
        }
        open++;
        return CompletableFuture.completedFuture(new Watch(path, position));
    }

    private synchronized void wakeAll() {
        waiting.clear();
        notifyAll();
    }

    private static HeadmastException.Gone gone() {
        return new HeadmastException.Gone("the revision is gone; start again from a list");
    }

    private final class Watch implements JobWatch {
        private final JobPath path;
        private long position;
        private int toldOfNext;
        private boolean closed;

        Watch(JobPath path, long position) {
            this.path = path;
            this.position = position;
        }

        @Override
        public Notice next(Duration limit) throws InterruptedException {
            synchronized (InMemoryFeed.this) {
                Duration until = time.plus(limit);
                while (true) {
                    requireOpen();
                    Optional<Notice> change = poll();
                    if (change.isPresent()) {
                        return change.get();
                    }
                    if (time.compareTo(until) >= 0) {
                        return new Progress(position);
                    }
                    waiting.add(this);
                    InMemoryFeed.this.wait();
                }
            }
        }

        @Override
        public void close() {
            synchronized (InMemoryFeed.this) {
                if (!closed) {
                    closed = true;
                    open--;
                    wakeAll();
                }
            }
        }

        private void requireOpen() {
            if (closed) {
                throw new HeadmastException.Unavailable("the watch was closed");
            }
            if (failure != null) {
                throw failure;
            }
            if (position < compacted && position < now()) {
                throw gone();
            }
        }

        private Optional<Notice> poll() {
            while (position < now()) {
                Revision next = history.get((int) (position - FIRST));
                List<JobChange> changes = next.changes().stream()
                        .filter(change -> path.matches(change.job().job()))
                        .toList();
                boolean last = next.complete() && toldOfNext == changes.size() - 1;
                if (toldOfNext < changes.size() - 1 || last) {
                    JobChange change = changes.get(toldOfNext);
                    long revision = position + 1;
                    toldOfNext = last ? 0 : toldOfNext + 1;
                    position = last ? revision : position;
                    return Optional.of(new Change(revision, change, last));
                }
                if (!next.complete()) {
                    return Optional.empty();
                }
                position++;
            }
            return Optional.empty();
        }
    }
}
