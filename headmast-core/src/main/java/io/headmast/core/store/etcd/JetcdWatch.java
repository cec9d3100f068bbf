// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.headmast.api.HeadmastException;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One watch on one connection. The first sign of trouble ends it for good, and what jetcd says later is ignored: jetcd
 * would go on after a broken connection from a revision that may lie behind events it never delivered ({@link CallGuard}
 * keeps it from trying).
 */
final class JetcdWatch implements Watch, io.etcd.jetcd.Watch.Listener {
    private final WatchRequest request;
    private final WatchListener listener;
    private final Endpoint endpoint;
    private final Endpoints endpoints;
    private final Consumer<JetcdWatch> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<io.etcd.jetcd.Watch.Watcher> watcher = new AtomicReference<>();

    /** The last revision of which all is delivered. Written by the one thread that delivers. */
    private volatile long delivered;

    /**
     * A watch at the endpoint in use.
     *
     * @param onEnd told once, when the watch ends for whatever reason
     */
    JetcdWatch(WatchRequest request, WatchListener listener, Endpoints endpoints, Consumer<JetcdWatch> onEnd) {
        this.request = request;
        this.listener = listener;
        this.endpoints = endpoints;
        this.endpoint = endpoints.current();
        this.onEnd = onEnd;
        this.delivered = request.fromRevision() - 1;
    }

    /** Opens it; called once. */
    void open() {
        var option = WatchOption.builder()
                .withRevision(request.fromRevision())
                // A member that has lost the cluster ends the watch instead of staying silent.
                .withRequireLeader(true);
        Bytes.to(request.range()).ifPresent(option::withRange);
        try {
            watcher.set(endpoint.client().getWatchClient().watch(Bytes.from(request.range()), option.build(), this));
        } catch (RuntimeException e) {
            breakWith(e);
            return;
        }
        if (ended.get()) {
            release();
        }
    }

    /** Ends it instead of opening it, because the store is closed. */
    void refuse() {
        ForkJoinPool.commonPool().execute(() -> breakWith(new HeadmastException.Unavailable("the store is closed")));
    }

    @Override
    public void requestProgress() {
        io.etcd.jetcd.Watch.Watcher open = watcher.get();
        if (open == null || ended.get()) {
            return;
        }
        try {
            open.requestProgress();
        } catch (RuntimeException e) {
            // The stream ended just now, and its end is told to the listener by itself.
            return;
        }
    }

    @Override
    public void close() {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
            release();
        }
    }

    @Override
    public void onNext(WatchResponse response) {
        if (ended.get()) {
            return;
        }
        if (response.getEvents().isEmpty()) {
            // etcd before 3.4.25 and 3.5.8 may answer a request for progress ahead of events that it has yet to send,
            // with a revision beyond them. So an answer proves that the connection lives, but its revision nothing.
            listener.onProgress(delivered);
            return;
        }
        List<WatchEvent> events = new ArrayList<>(response.getEvents().size());
        response.getEvents().forEach(event -> events.add(event(event)));
        long last = events.get(events.size() - 1).revision();
        delivered = last;
        listener.onEvents(last, events);
    }

    @Override
    public void onError(Throwable failure) {
        breakWith(failure);
    }

    @Override
    public void onCompleted() {
        // jetcd says so too when this side closes; then it is no news.
        breakWith(new HeadmastException.Unavailable("the connection ended"));
    }

    private void breakWith(Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
            if (JetcdErrors.blamesEndpoint(failure)) {
                endpoints.leave(endpoint);
            }
            // Not here: jetcd calls this in the middle of ending the stream itself.
            ForkJoinPool.commonPool().execute(this::release);
            listener.onBroken(JetcdErrors.translate(failure, false, endpoint.toString()));
        }
    }

    private void release() {
        io.etcd.jetcd.Watch.Watcher open = watcher.getAndSet(null);
        if (open != null) {
            open.close();
        }
    }

    private static WatchEvent event(io.etcd.jetcd.watch.WatchEvent event) {
        return switch (event.getEventType()) {
            case PUT -> new WatchEvent.Put(Bytes.item(event.getKeyValue()));
            case DELETE ->
                new WatchEvent.Delete(
                        Bytes.key(event.getKeyValue().getKey()),
                        event.getKeyValue().getModRevision());
            case UNRECOGNIZED -> throw new IllegalStateException("unknown kind of event " + event);
        };
    }
}
