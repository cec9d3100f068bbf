// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The open watches of a {@link FaultyStore}: they can be held back, broken, and made to pass over events. */
final class FaultyWatches {
    private final List<HeldWatch> open = new ArrayList<>();
    private Predicate<WatchEvent> lost = event -> false;
    private boolean held;

    Watch open(KeyValueStore store, WatchRequest request, WatchListener listener) {
        var watch = new HeldWatch(request, listener);
        open.add(watch);
        watch.opened = store.watch(request, watch);
        return watch;
    }

    int open() {
        return open.size();
    }

    void hold() {
        held = true;
    }

    /** What was held back is delivered. */
    void release() {
        held = false;
        List.copyOf(open).forEach(HeldWatch::release);
    }

    void lose(Predicate<WatchEvent> next) {
        lost = next;
    }

    void breakAll(RuntimeException cause) {
        List.copyOf(open).forEach(watch -> watch.onBroken(cause));
    }

    void closeAll() {
        List.copyOf(open).forEach(HeldWatch::close);
    }

    private final class HeldWatch implements Watch, WatchListener {
        private final WatchListener listener;
        private final List<Runnable> heldBack = new ArrayList<>();
        private Watch opened = new NoWatch();
        private long delivered;

        HeldWatch(WatchRequest request, WatchListener listener) {
            this.listener = listener;
            this.delivered = request.fromRevision() - 1;
        }

        @Override
        public void requestProgress() {
            if (!held) {
                opened.requestProgress();
            }
        }

        @Override
        public void close() {
            open.remove(this);
            heldBack.clear();
            opened.close();
        }

        @Override
        public void onEvents(long revision, List<WatchEvent> events) {
            List<WatchEvent> seen = events.stream().filter(lost.negate()).toList();
            deliver(() -> {
                delivered = revision;
                if (seen.isEmpty()) {
                    listener.onProgress(revision);
                } else {
                    listener.onEvents(revision, seen);
                }
            });
        }

        /** As from etcd: it proves that the connection lives, and tells nothing beyond the last event. */
        @Override
        public void onProgress(long revision) {
            deliver(() -> listener.onProgress(delivered));
        }

        @Override
        public void onBroken(Throwable cause) {
            if (open.remove(this)) {
                opened.close();
                listener.onBroken(cause);
            }
        }

        private void deliver(Runnable call) {
            if (held) {
                heldBack.add(call);
            } else if (open.contains(this)) {
                call.run();
            }
        }

        private void release() {
            List<Runnable> waited = List.copyOf(heldBack);
            heldBack.clear();
            waited.forEach(Runnable::run);
        }
    }

    private record NoWatch() implements Watch {
        @Override
        public void requestProgress() {}

        @Override
        public void close() {}
    }
}
