// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.StreamObserver;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A stream of watches and all that it was answered. */
final class WatchRecording implements StreamObserver<WatchResponse> {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<WatchResponse> answers = new CopyOnWriteArrayList<>();
    private final StreamObserver<WatchRequest> requests;
    private volatile boolean ended;

    private WatchRecording(EtcdClient client) {
        requests = client.watch().watch(this);
    }

    static WatchRecording of(EtcdClient client, WatchCreateRequest... watches) {
        var recording = new WatchRecording(client);
        for (WatchCreateRequest watch : watches) {
            recording.create(watch);
        }
        return recording;
    }

    void create(WatchCreateRequest watch) {
        requests.onNext(WatchRequest.newBuilder().setCreateRequest(watch).build());
    }

    void cancel(long id) {
        requests.onNext(WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
                .build());
    }

    void requestProgress() {
        requests.onNext(WatchRequest.newBuilder()
                .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                .build());
    }

    void end() {
        requests.onCompleted();
    }

    boolean hasEnded() {
        return ended;
    }

    List<WatchResponse> answers() {
        return List.copyOf(answers);
    }

    /** The first answer that is as wanted, once it is there. */
    WatchResponse await(String what, Predicate<WatchResponse> wanted) {
        Await.until(what, LIMIT, () -> answers.stream().anyMatch(wanted));
        return answers.stream().filter(wanted).findFirst().orElseThrow();
    }

    void awaitAll(String what, Predicate<WatchResponse> wanted, int count) {
        Await.until(what, LIMIT, () -> answers.stream().filter(wanted).count() >= count);
    }

    List<Event> events() {
        return answers.stream()
                .flatMap(answer -> answer.getEventsList().stream())
                .toList();
    }

    /** The events up to a revision that has some. */
    List<Event> eventsUpTo(long revision) {
        Await.until(
                "the events of " + revision,
                LIMIT,
                () -> events().stream().anyMatch(event -> event.getKv().getModRevision() >= revision));
        return events().stream()
                .filter(event -> event.getKv().getModRevision() <= revision)
                .toList();
    }

    @Override
    public void onNext(WatchResponse answer) {
        answers.add(answer);
    }

    @Override
    public void onError(Throwable failure) {
        ended = true;
    }

    @Override
    public void onCompleted() {
        ended = true;
    }
}
