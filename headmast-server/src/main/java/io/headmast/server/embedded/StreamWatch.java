// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchCreateRequest.FilterType;
import io.etcd.jetcd.api.WatchResponse;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.memory.EmbeddedEngine;
import io.headmast.core.store.memory.EtcdChange;
import io.headmast.core.store.memory.EtcdWatch;
import io.headmast.core.store.memory.EtcdWatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One watch of a stream. When the client reads too slowly the watch of the engine behind it is closed, and opened again
 * where it was left once the client has caught up: nothing is lost, and little is kept for it meanwhile.
 */
final class StreamWatch {
    /** An answer of more bytes is followed by another, if it isn't a single revision. */
    private static final int ANSWER_BYTES = 1 << 20;

    /** As the beginning of a range, before every key. */
    private static final String FIRST_KEY = "\0";

    private final long id;
    private final WatchCreateRequest request;
    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Outbox<WatchResponse> outbox;
    private final EtcdWatch asked;

    // Guarded by this; the calls out of it don't block.
    private @Nullable Opening opening;
    private boolean lagging;
    private boolean closed;
    private boolean told;

    /** The first revision that was not delivered yet; 0 before the watch is open. */
    private long next;

    StreamWatch(
            long id,
            WatchCreateRequest request,
            EmbeddedEngine engine,
            Identity identity,
            Outbox<WatchResponse> outbox) {
        this.id = id;
        this.request = request;
        this.engine = engine;
        this.identity = identity;
        this.outbox = outbox;
        this.asked = new EtcdWatch(range(request), Math.max(0, request.getStartRevision()), request.getPrevKv());
    }

    /** What a request asks to watch: no key at all stands for the first there can be. */
    static KeyRange range(WatchCreateRequest request) {
        KeyRange range = Wire.range(request.getKey(), request.getRangeEnd());
        return request.getKey().isEmpty() && request.getRangeEnd().isEmpty() ? KeyRange.key(FIRST_KEY) : range;
    }

    synchronized void open() {
        var first = new Opening();
        opening = first;
        first.watching = engine.watch(asked, first, this::created);
    }

    synchronized void close() {
        closed = true;
        leave();
    }

    /** There is room again for what was left out. */
    synchronized void goOn() {
        if (lagging && !closed) {
            lagging = false;
            var again = new Opening();
            opening = again;
            again.watching =
                    engine.watch(new EtcdWatch(asked.range(), next, asked.withBefore()), again, revision -> {});
        }
    }

    /** How far it has come when the store is at a revision and all its events are on their way. */
    synchronized long reached(long revision) {
        return lagging ? next - 1 : revision;
    }

    synchronized void reportProgress(long revision) {
        if (request.getProgressNotify() && !told && !lagging && !closed) {
            send(WatchResponse.newBuilder(), revision);
        }
        told = false;
    }

    private synchronized void created(long revision) {
        next = asked.fromRevision() > 0 ? asked.fromRevision() : revision + 1;
        if (!closed) {
            send(WatchResponse.newBuilder().setCreated(true), revision);
        }
    }

    private void leave() {
        Opening left = opening;
        opening = null;
        if (left != null && left.watching != null) {
            left.watching.close();
        }
    }

    private void send(WatchResponse.Builder answer, long revision) {
        outbox.send(answer.setHeader(identity.header(revision)).setWatchId(id).build());
    }

    private boolean wanted(EtcdChange change) {
        FilterType unwanted = change.event() instanceof WatchEvent.Put ? FilterType.NOPUT : FilterType.NODELETE;
        return !request.getFiltersList().contains(unwanted);
    }

    /** One watch of the engine, of those that this one lives through. */
    private final class Opening implements EtcdWatcher {
        private EmbeddedEngine.@Nullable Watching watching;

        @Override
        public void onChanges(long storeRevision, List<EtcdChange> changes) {
            synchronized (StreamWatch.this) {
                int from = 0;
                while (from < changes.size() && opening == this) {
                    if (outbox.isFull()) {
                        lagging = true;
                        leave();
                        outbox.whenEmpty();
                        return;
                    }
                    from = send(storeRevision, changes, from);
                }
            }
        }

        /** Sends whole revisions, and tells where the next answer begins. */
        private int send(long storeRevision, List<EtcdChange> changes, int from) {
            WatchResponse.Builder answer = WatchResponse.newBuilder();
            long bytes = 0;
            int at = from;
            while (at < changes.size() && (bytes < ANSWER_BYTES || !startsRevision(changes, at))) {
                if (wanted(changes.get(at))) {
                    var event = Wire.event(changes.get(at));
                    bytes += event.getSerializedSize();
                    answer.addEvents(event);
                }
                at++;
            }
            next = changes.get(at - 1).event().revision() + 1;
            if (answer.getEventsCount() > 0) {
                told = true;
                StreamWatch.this.send(answer, storeRevision);
            }
            return at;
        }

        private static boolean startsRevision(List<EtcdChange> changes, int at) {
            return changes.get(at).event().revision()
                    != changes.get(at - 1).event().revision();
        }

        @Override
        public void onProgress(long revision) {
            // Asked of the stream as a whole, not of its watches.
        }

        @Override
        public void onCompacted(long compactRevision) {
            synchronized (StreamWatch.this) {
                if (opening == this) {
                    opening = null;
                    closed = true;
                    // etcd tells no revision with it.
                    StreamWatch.this.send(
                            WatchResponse.newBuilder().setCanceled(true).setCompactRevision(compactRevision), 0);
                }
            }
        }
    }
}
