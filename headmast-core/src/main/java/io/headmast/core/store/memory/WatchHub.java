// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.CompactedException;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The open watches, served in the order they were opened. Every call of a listener is a task of its own on the given
 * serial executor, so a listener that throws harms nobody else, and none is called from inside an operation.
 */
final class WatchHub {
    /** The most revisions that one call delivers while a watch catches up, as in etcd. */
    private static final int MAX_BATCH_REVISIONS = 1000;

    private final Executor executor;
    private final List<Open> watches = new ArrayList<>();

    WatchHub(Executor executor) {
        this.executor = executor;
    }

    /** Opens a watch: what it asks for of the past is on its way at once, the rest as it happens. */
    Open open(WatchRequest request, WatchListener listener, Revisions revisions) {
        var watch = new Open(request, listener);
        if (request.fromRevision() < revisions.compacted()) {
            watch.breakWith(new CompactedException(revisions.compacted()));
            return watch;
        }
        watches.add(watch);
        watch.catchUp(revisions.eventsFrom(request.fromRevision()).values());
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
        private final long fromRevision;
        private final WatchListener listener;
        private boolean closed;

        private Open(WatchRequest request, WatchListener listener) {
            this.range = request.range();
            this.fromRevision = request.fromRevision();
            this.listener = listener;
        }

        void close() {
            closed = true;
            watches.remove(this);
        }

        /** Tells how far this watch has come, after all that is on its way to it. */
        void confirm(long revision) {
            // What lies before the first revision asked for counts as delivered.
            deliver(() -> listener.onProgress(Math.max(revision, fromRevision - 1)));
        }

        private void breakWith(RuntimeException cause) {
            deliver(() -> {
                close();
                listener.onBroken(cause);
            });
        }

        private void offer(List<WatchEvent> events) {
            if (events.get(0).revision() >= fromRevision) {
                send(matching(events));
            }
        }

        private void catchUp(Collection<List<WatchEvent>> history) {
            List<WatchEvent> batch = new ArrayList<>();
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

        private List<WatchEvent> matching(List<WatchEvent> events) {
            return events.stream().filter(event -> range.contains(event.key())).toList();
        }

        private void send(List<WatchEvent> events) {
            if (!events.isEmpty()) {
                long revision = events.get(events.size() - 1).revision();
                deliver(() -> listener.onEvents(revision, List.copyOf(events)));
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
