// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What of watches can't be seen beside an etcd: slow readers, and what etcd leaves open. */
final class WatchStreamTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final ByteString KEY = ByteString.copyFromUtf8("k");

    private EmbeddedStore store;
    private EtcdClient client;

    @BeforeEach
    void start() {
        store = EmbeddedStore.inMemory(0);
        client = new EtcdClient(store.endpoint().getPort());
    }

    @AfterEach
    void end() {
        client.close();
        store.close();
    }

    @Test
    void slowReaderGetsEverythingInTheEnd() {
        var reader = new SlowReader();
        client.watch().watch(reader);
        reader.create(WatchCreateRequest.newBuilder().setKey(KEY).build());
        reader.take(1);
        // More than what is kept for it, by far.
        int puts = 120;
        long last = 0;
        for (int i = 0; i < puts; i++) {
            last = put(ByteString.copyFrom(new byte[256 << 10]));
        }
        reader.take(puts);
        Await.until("all events", LIMIT, () -> reader.revisions().size() >= puts);
        assertEquals(LongStream.rangeClosed(last - puts + 1, last).boxed().toList(), reader.revisions());
    }

    @Test
    void deletionAtTheCompactRevisionIsDelivered() {
        put(KEY);
        long deleted = client.kv()
                .deleteRange(DeleteRangeRequest.newBuilder().setKey(KEY).build())
                .getHeader()
                .getRevision();
        client.kv().compact(CompactionRequest.newBuilder().setRevision(deleted).build());
        var stream = WatchRecording.of(
                client,
                WatchCreateRequest.newBuilder()
                        .setKey(KEY)
                        .setStartRevision(deleted)
                        .build());
        List<Event> events = stream.eventsUpTo(deleted);
        assertEquals(Event.EventType.DELETE, events.get(0).getType());
    }

    @Test
    void streamEndsInOrderWhenTheClientEndsIt() {
        var stream = WatchRecording.of(
                client, WatchCreateRequest.newBuilder().setKey(KEY).build());
        stream.await("the watch", WatchResponse::getCreated);
        stream.end();
        Await.until("the end", LIMIT, stream::hasEnded);
        assertTrue(stream.events().isEmpty());
    }

    private long put(ByteString value) {
        return client.kv()
                .put(PutRequest.newBuilder().setKey(KEY).setValue(value).build())
                .getHeader()
                .getRevision();
    }

    /** Takes answers only as they are asked for. */
    private static final class SlowReader implements ClientResponseObserver<WatchRequest, WatchResponse> {
        private final List<Long> revisions = new CopyOnWriteArrayList<>();
        private volatile ClientCallStreamObserver<WatchRequest> requests;

        void create(WatchCreateRequest watch) {
            requests.onNext(WatchRequest.newBuilder().setCreateRequest(watch).build());
        }

        void take(int answers) {
            requests.request(answers);
        }

        List<Long> revisions() {
            return List.copyOf(revisions);
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            requests = stream;
            stream.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(WatchResponse answer) {
            answer.getEventsList().forEach(event -> revisions.add(event.getKv().getModRevision()));
        }

        @Override
        public void onError(Throwable failure) {
            // The test is over.
        }

        @Override
        public void onCompleted() {
            // The test is over.
        }
    }
}
