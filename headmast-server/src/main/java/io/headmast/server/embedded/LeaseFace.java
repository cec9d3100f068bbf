// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;
import io.headmast.core.store.memory.EmbeddedEngine.AtRevision;
import io.headmast.core.store.memory.LeaseView;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** etcd's Lease service. */
final class LeaseFace extends LeaseGrpc.LeaseImplBase {
    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Calls calls;

    LeaseFace(EmbeddedEngine engine, Identity identity, Calls calls) {
        this.engine = engine;
        this.identity = identity;
        this.calls = calls;
    }

    @Override
    public void leaseGrant(LeaseGrantRequest request, StreamObserver<LeaseGrantResponse> to) {
        // A made-up id must not be one that a client still knows from before a restart.
        long id = request.getID() != 0
                ? request.getID()
                : ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        calls.write(
                request,
                () -> engine.grant(id, Duration.ofSeconds(request.getTTL())),
                granted -> LeaseGrantResponse.newBuilder()
                        .setHeader(identity.header(granted.revision()))
                        .setID(id)
                        .setTTL(granted.value().ttl().toSeconds())
                        .build(),
                to);
    }

    @Override
    public void leaseRevoke(LeaseRevokeRequest request, StreamObserver<LeaseRevokeResponse> to) {
        calls.write(
                request,
                () -> engine.revoke(request.getID()),
                revision -> LeaseRevokeResponse.newBuilder()
                        .setHeader(identity.header(revision))
                        .build(),
                to);
    }

    @Override
    public void leaseTimeToLive(LeaseTimeToLiveRequest request, StreamObserver<LeaseTimeToLiveResponse> to) {
        calls.read(request, () -> engine.lease(request.getID()), found -> timeToLive(request, found), to);
    }

    /** Answers come in the order of the requests, since the engine takes them up and answers them in order. */
    @Override
    public StreamObserver<LeaseKeepAliveRequest> leaseKeepAlive(StreamObserver<LeaseKeepAliveResponse> to) {
        // Without a handler of it, an answer to a client that went away would be thrown back here.
        ((ServerCallStreamObserver<LeaseKeepAliveResponse>) to).setOnCancelHandler(() -> {});
        return new KeepAlives(to);
    }

    private LeaseTimeToLiveResponse timeToLive(LeaseTimeToLiveRequest request, AtRevision<Optional<LeaseView>> found) {
        LeaseTimeToLiveResponse.Builder answer = LeaseTimeToLiveResponse.newBuilder()
                .setHeader(identity.header(found.revision()))
                .setID(request.getID());
        if (found.value().isEmpty()) {
            return answer.setTTL(-1).build();
        }
        LeaseView lease = found.value().get();
        answer.setTTL(lease.remaining().toSeconds())
                .setGrantedTTL(lease.granted().toSeconds());
        if (request.getKeys()) {
            lease.keys().forEach(key -> answer.addKeys(Wire.bytes(key)));
        }
        return answer.build();
    }

    private final class KeepAlives implements StreamObserver<LeaseKeepAliveRequest> {
        private final StreamObserver<LeaseKeepAliveResponse> to;

        KeepAlives(StreamObserver<LeaseKeepAliveResponse> to) {
            this.to = to;
        }

        @Override
        public void onNext(LeaseKeepAliveRequest request) {
            var unused = engine.renew(request.getID()).whenComplete((renewed, failure) -> {
                if (failure == null) {
                    to.onNext(LeaseKeepAliveResponse.newBuilder()
                            .setHeader(identity.header(renewed.revision()))
                            .setID(request.getID())
                            // A dead lease is told by no time left.
                            .setTTL(renewed.value().map(Duration::toSeconds).orElse(0L))
                            .build());
                } else {
                    to.onError(EtcdStatus.of(failure));
                }
            });
        }

        @Override
        public void onError(Throwable failure) {
            // The client went away.
        }

        @Override
        public void onCompleted() {
            var unused = engine.revision().whenComplete((revision, failure) -> to.onCompleted());
        }
    }
}
