// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchCreateRequest.FilterType;
import io.etcd.jetcd.api.WatchResponse;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Streams of watches: the same requests and the same changes, and on either store the same answers to each watch. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WatchAgainstEtcdTest {
    private static final int WATCH_ID_FIELD = 7;
    private static final ByteString END = ByteString.copyFromUtf8("z");

    private EtcdPair pair;

    @BeforeAll
    void start() {
        pair = new EtcdPair();
    }

    @AfterAll
    void end() {
        pair.close();
    }

    @Test
    void severalWatchesOnOneStream() {
        pair.same("answers", client -> {
            long from = put(client, "several/0", "before") + 1;
            var stream = WatchRecording.of(
                    client,
                    range("several/").build(),
                    range("several/").setPrevKv(true).build(),
                    range("several/").addFilters(FilterType.NOPUT).build(),
                    range("several/")
                            .addFilters(FilterType.NODELETE)
                            .setPrevKv(true)
                            .build(),
                    range("several/").setStartRevision(from + 2).build(),
                    range("several/").setStartRevision(from - 1).build());
            awaitCreated(stream, 6);
            put(client, "several/0", "after");
            put(client, "several/1", "new");
            delete(client, "several/0");
            put(client, "several/1", "newer");
            delete(client, "several/0");
            long last = put(client, "several/end", "");
            awaitEvent(stream, 5, last);
            awaitEvent(stream, 4, last);
            delete(client, "several/end");
            awaitEvent(stream, 2, last + 1);
            awaitEvent(stream, 5, last + 1);
            return byWatch(stream, List.of(0L, 1L, 2L, 3L, 4L, 5L));
        });
    }

    @Test
    void cancelledWatchIsSilent() {
        pair.same("answers", client -> {
            var stream = WatchRecording.of(
                    client, range("cancel/").build(), range("cancel/").build());
            awaitCreated(stream, 2);
            stream.cancel(0);
            stream.cancel(77);
            stream.await("the end is confirmed", WatchResponse::getCanceled);
            long last = put(client, "cancel/1", "");
            awaitEvent(stream, 1, last);
            return byWatch(stream, List.of(0L, 1L, 77L));
        });
    }

    @Test
    void compactedWatchIsCancelledAtOnce() {
        pair.same("answers", client -> {
            long first = put(client, "compact/1", "");
            put(client, "compact/1", "");
            long third = put(client, "compact/2", "");
            client.kv()
                    .compact(CompactionRequest.newBuilder().setRevision(third).build());
            var stream = WatchRecording.of(
                    client,
                    range("compact/").setStartRevision(first).build(),
                    range("compact/").setStartRevision(third).build());
            awaitCreated(stream, 2);
            stream.await("the end", WatchResponse::getCanceled);
            awaitEvent(stream, 1, third);
            return byWatch(stream, List.of(0L, 1L));
        });
    }

    @Test
    void emptyRangeIsRefused() {
        pair.same("answers", client -> {
            var backwards = WatchCreateRequest.newBuilder()
                    .setKey(ByteString.copyFromUtf8("b"))
                    .setRangeEnd(ByteString.copyFromUtf8("a"))
                    .build();
            var stream = WatchRecording.of(client, backwards);
            stream.await("the refusal", WatchResponse::getCanceled);
            return byWatch(stream, List.of(-1L, 0L));
        });
    }

    @Test
    void idsAreTheClientsToChoose() {
        pair.same("answers", client -> {
            var stream = WatchRecording.of(
                    client,
                    withId("ids/", 1),
                    range("ids/").build(),
                    range("ids/").build(),
                    withId("ids/", 1));
            awaitCreated(stream, 3);
            stream.await("the refusal", WatchResponse::getCanceled);
            return byWatch(stream, List.of(-1L, 0L, 1L, 2L));
        });
    }

    @Test
    void progressIsToldOfTheWholeStream() {
        pair.same("answers", client -> {
            put(client, "progress/1", "");
            var stream = WatchRecording.of(client, range("progress/").build());
            awaitCreated(stream, 1);
            stream.requestProgress();
            stream.await("progress", answer -> answer.getWatchId() == -1);
            return byWatch(stream, List.of(-1L, 0L));
        });
    }

    private static WatchCreateRequest.Builder range(String prefix) {
        return WatchCreateRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(prefix))
                .setRangeEnd(ByteString.copyFromUtf8(prefix).concat(END));
    }

    private static WatchCreateRequest withId(String prefix, long id) {
        return range(prefix)
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                WATCH_ID_FIELD,
                                UnknownFieldSet.Field.newBuilder().addVarint(id).build())
                        .build())
                .build();
    }

    private static long put(EtcdClient client, String key, String value) {
        return client.kv()
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .getHeader()
                .getRevision();
    }

    private static void delete(EtcdClient client, String key) {
        client.kv()
                .deleteRange(DeleteRangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .build());
    }

    private static void awaitCreated(WatchRecording stream, int watches) {
        stream.awaitAll("all are created", WatchResponse::getCreated, watches);
    }

    private static void awaitEvent(WatchRecording stream, long watch, long revision) {
        stream.await(
                "event " + revision + " of " + watch,
                answer -> answer.getWatchId() == watch && lastRevision(answer) >= revision);
    }

    private static long lastRevision(WatchResponse answer) {
        return answer.getEventsList().stream()
                .map(Event::getKv)
                .mapToLong(item -> item.getModRevision())
                .max()
                .orElse(0);
    }

    /** What each watch was told, in order; how events were packed into answers is a matter of speed. */
    private static String byWatch(WatchRecording stream, List<Long> ids) {
        return ids.stream()
                .map(id -> id + ": "
                        + stream.answers().stream()
                                .filter(answer -> answer.getWatchId() == id)
                                .map(WatchAgainstEtcdTest::unpacked)
                                .collect(Collectors.joining()))
                .collect(Collectors.joining("\n"));
    }

    private static String unpacked(WatchResponse answer) {
        return answer.getEventsCount() == 0
                ? answer.toString()
                : answer.getEventsList().stream().map(Event::toString).collect(Collectors.joining());
    }
}
