// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.testing.ChangedStore;
import java.util.List;
import java.util.function.Predicate;

/** A store whose watches go on by themselves after they broke, from the revision that is the latest by then. */
final class Resuming extends ChangedStore {
    private final Predicate<Throwable> silently;

    /** @param silently after which breaks */
    Resuming(KeyValueStore store, Predicate<Throwable> silently) {
        super(store);
        this.silently = silently;
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        Endless watch = new Endless(request, listener);
        watch.open(request);
        return watch;
    }

    private final class Endless implements Watch, WatchListener {
        private final WatchRequest request;
        private final WatchListener listener;
        private Watch current = new Closed();
        private boolean closed;

        Endless(WatchRequest request, WatchListener listener) {
            this.request = request;
            this.listener = listener;
        }

        void open(WatchRequest from) {
            current = Resuming.super.watch(from, this);
        }

        @Override
        public void requestProgress() {
            current.requestProgress();
        }

        @Override
        public void close() {
            closed = true;
            current.close();
        }

        @Override
        public void onEvents(long revision, List<WatchEvent> events) {
            listener.onEvents(revision, events);
        }

        @Override
        public void onProgress(long revision) {
            listener.onProgress(revision);
        }

        @Override
        public void onBroken(Throwable cause) {
            if (!silently.test(cause)) {
                listener.onBroken(cause);
                return;
            }
            var unused = range(RangeRequest.key("?")).whenComplete((found, failure) -> {
                if (closed) {
                    return;
                }
                if (failure == null) {
                    open(new WatchRequest(request.range(), found.revision() + 1));
                } else {
                    listener.onBroken(failure);
                }
            });
        }
    }

    private record Closed() implements Watch {
        @Override
        public void requestProgress() {}

        @Override
        public void close() {}
    }
}
