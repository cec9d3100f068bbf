// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmResponse;
import io.etcd.jetcd.api.DefragmentRequest;
import io.etcd.jetcd.api.DefragmentResponse;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;

/** What there is to ask of etcd's Maintenance service where there is one member and no file to look after. */
final class MaintenanceFace extends MaintenanceGrpc.MaintenanceImplBase {
    /** The etcd whose API this is. */
    static final String API_VERSION = "3.4.23";

    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Calls calls;

    MaintenanceFace(EmbeddedEngine engine, Identity identity, Calls calls) {
        this.engine = engine;
        this.identity = identity;
        this.calls = calls;
    }

    @Override
    public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
        calls.read(
                request,
                engine::revision,
                revision -> StatusResponse.newBuilder()
                        .setHeader(identity.header(revision))
                        .setVersion(API_VERSION)
                        .setLeader(identity.memberId())
                        // There is no log of proposals: the revision is as far as it goes.
                        .setRaftIndex(revision)
                        .setRaftAppliedIndex(revision)
                        .setRaftTerm(Identity.RAFT_TERM)
                        .build(),
                to);
    }

    /** There are none; nor can one be raised. */
    @Override
    public void alarm(AlarmRequest request, StreamObserver<AlarmResponse> to) {
        calls.read(request, engine::revision, revision -> AlarmResponse.getDefaultInstance(), to);
    }

    /** There is nothing to do. */
    @Override
    public void defragment(DefragmentRequest request, StreamObserver<DefragmentResponse> to) {
        calls.read(request, engine::revision, revision -> DefragmentResponse.getDefaultInstance(), to);
    }
}
