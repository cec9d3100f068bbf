// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyRange;
import io.headmast.core.store.WatchEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The open watches, served in the order they were opened. Every call of a watcher is a task of its own on the given serial
 * executor, so one that throws harms nobody else, and none is called from inside an operation.
 */
final class WatchHub {
    /** The most revisions that one call delivers while a watch catches up, as in etcd. */
    private static final int MAX_BATCH_REVISIONS = 1000;

    private final Executor executor;
    private final Revisions revisions;
    private final List<Open> watches = new ArrayList<>();

    WatchHub(Executor executor, Revisions revisions) {
        this.executor = executor;
        this.revisions = revisions;
    }

    /** Opens a watch: what it asks for of the past is on its way at once, the rest as it happens. */
    Open open(EtcdWatch request, EtcdWatcher watcher) {
        long from = request.fromRevision() > 0 ? request.fromRevision() : revisions.current() + 1;
        var watch = new Open(request, from, watcher);
        long compacted = revisions.compacted();
        if (from < compacted) {
            watch.deliver(() -> watcher.onCompacted(compacted));
            return watch;
        }
        watches.add(watch);
        watch.catchUp(revisions.eventsFrom(from).values());
        return watch;
    }

    /** Delivers the events of one revision. */
    void publish(List<WatchEvent> events) {
        if (!events.isEmpty()) {
            List.copyOf(watches).forEach(watch -> watch.offer(events));
        }
    }

    void closeAll() {
        List.copyOf(watches).forEach(Open::close);
    }

    /** One open watch. */
    final class Open {
        private final KeyRange range;
        private final boolean withBefore;
        private final long fromRevision;
        private final EtcdWatcher watcher;

        /** Read where the calls are delivered. */
        private volatile boolean closed;

        private Open(EtcdWatch request, long fromRevision, EtcdWatcher watcher) {
            this.range = request.range();
            this.withBefore = request.withBefore();
            this.fromRevision = fromRevision;
            this.watcher = watcher;
        }

        void close() {
            closed = true;
            watches.remove(this);
        }

        /** Tells how far this watch has come, after all that is on its way to it. */
        void confirm() {
            // What lies before the first revision asked for counts as delivered.
            long revision = Math.max(revisions.current(), fromRevision - 1);
            deliver(() -> watcher.onProgress(revision));
        }

        private void offer(List<WatchEvent> events) {
            if (events.get(0).revision() >= fromRevision) {
                send(matching(events));
            }
        }

        private void catchUp(Collection<List<WatchEvent>> history) {
            List<EtcdChange> batch = new ArrayList<>();
            int revisionsInBatch = 0;
            for (List<WatchEvent> events : history) {
                batch.addAll(matching(events));
                if (++revisionsInBatch == MAX_BATCH_REVISIONS) {
                    send(batch);
                    batch = new ArrayList<>();
                    revisionsInBatch = 0;
                }
            }
            send(batch);
        }

        private List<EtcdChange> matching(List<WatchEvent> events) {
            return events.stream()
                    .filter(event -> range.contains(event.key()))
                    .map(event -> new EtcdChange(
                            event, withBefore ? Optional.ofNullable(revisions.before(event)) : Optional.empty()))
                    .toList();
        }

        private void send(List<EtcdChange> changes) {
            if (!changes.isEmpty()) {
                long revision = revisions.current();
                List<EtcdChange> copy = List.copyOf(changes);
                deliver(() -> watcher.onChanges(revision, copy));
            }
        }

        private void deliver(Runnable call) {
            executor.execute(() -> {
                if (!closed) {
                    call.run();
                }
            });
        }
    }
}
