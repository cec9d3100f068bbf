// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.memory.EmbeddedEngine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * One client's stream of watches. Requests come on one thread; everything that is answered goes through the engine, and so
 * takes its place among the events.
 */
final class WatchStream implements StreamObserver<WatchRequest> {
    /** In an answer that is about no watch in particular. */
    private static final long NO_WATCH = -1;

    private static final String DUPLICATE_ID = "mvcc: duplicate watch ID provided on the WatchStream";
    private static final String EMPTY_RANGE = "mvcc: watcher range is empty";

    /** A field that the stubs in use here don't know: the id that the client wants. */
    private static final int WATCH_ID_FIELD = 7;

    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Outbox<WatchResponse> outbox;
    private final Consumer<WatchStream> onEnd;
    private final Map<Long, StreamWatch> watches = new ConcurrentHashMap<>();
    private long nextId; // by the thread that brings requests

    /**
     * A stream that has just begun.
     *
     * @param onEnd told when it has ended
     */
    WatchStream(
            EmbeddedEngine engine,
            Identity identity,
            ServerCallStreamObserver<WatchResponse> to,
            Consumer<WatchStream> onEnd) {
        this.engine = engine;
        this.identity = identity;
        this.onEnd = onEnd;
        this.outbox = new Outbox<>(to, () -> watches.values().forEach(StreamWatch::goOn));
        to.setOnCancelHandler(this::close);
    }

    @Override
    public void onNext(WatchRequest request) {
        switch (request.getRequestUnionCase()) {
            case CREATE_REQUEST -> create(request.getCreateRequest());
            case CANCEL_REQUEST -> cancel(request.getCancelRequest());
            case PROGRESS_REQUEST -> atRevision(this::progress);
            case REQUESTUNION_NOT_SET -> {
                // As etcd: nothing that it knows.
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        close();
    }

    @Override
    public void onCompleted() {
        close();
        outbox.end();
    }

    void reportProgress() {
        atRevision(revision -> watches.values().forEach(watch -> watch.reportProgress(revision)));
    }

    private void close() {
        watches.values().forEach(StreamWatch::close);
        watches.clear();
        onEnd.accept(this);
    }

    private void create(WatchCreateRequest request) {
        List<Long> wanted = request.getUnknownFields().getField(WATCH_ID_FIELD).getVarintList();
        long id = wanted.isEmpty() ? 0 : wanted.get(wanted.size() - 1);
        KeyRange range = StreamWatch.range(request);
        if (!range.to().isEmpty() && range.from().compareTo(range.to()) >= 0) {
            refuse(EMPTY_RANGE);
            return;
        }
        if (id != 0 && watches.containsKey(id)) {
            refuse(DUPLICATE_ID);
            return;
        }
        if (id == 0) {
            while (watches.containsKey(nextId)) {
                nextId++;
            }
            id = nextId++;
        }
        var watch = new StreamWatch(id, request, engine, identity, outbox);
        watches.put(id, watch);
        watch.open();
    }

    private void refuse(String reason) {
        atRevision(revision -> outbox.send(WatchResponse.newBuilder()
                .setHeader(identity.header(revision))
                .setWatchId(NO_WATCH)
                .setCreated(true)
                .setCanceled(true)
                .setCancelReason(reason)
                .build()));
    }

    private void cancel(WatchCancelRequest request) {
        StreamWatch watch = watches.remove(request.getWatchId());
        if (watch != null) {
            watch.close();
            atRevision(revision -> outbox.send(WatchResponse.newBuilder()
                    .setHeader(identity.header(revision))
                    .setWatchId(request.getWatchId())
                    .setCanceled(true)
                    .build()));
        }
    }

    /** For all watches of the stream; one that lags behind holds the answer's revision back. */
    private void progress(long revision) {
        long reached = watches.values().stream()
                .mapToLong(watch -> watch.reached(revision))
                .min()
                .orElse(revision);
        outbox.send(WatchResponse.newBuilder()
                .setHeader(identity.header(reached))
                .setWatchId(NO_WATCH)
                .build());
    }

    /** Goes through the engine, after the events up to the revision that it tells. */
    private void atRevision(LongConsumer task) {
        var unused = engine.revision().thenAccept(task::accept);
    }
}
