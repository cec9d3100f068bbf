// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.Member;
import io.etcd.jetcd.api.MemberListRequest;
import io.etcd.jetcd.api.MemberListResponse;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;
import java.net.URI;
import java.util.function.Supplier;

/** What there is to ask of etcd's Cluster service: who the one member is. */
final class ClusterFace extends ClusterGrpc.ClusterImplBase {
    private static final String MEMBER_NAME = "headmast";

    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Calls calls;
    private final Supplier<URI> endpoint;

    /** @param endpoint where clients reach the member */
    ClusterFace(EmbeddedEngine engine, Identity identity, Calls calls, Supplier<URI> endpoint) {
        this.engine = engine;
        this.identity = identity;
        this.calls = calls;
        this.endpoint = endpoint;
    }

    @Override
    public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> to) {
        calls.read(
                request,
                engine::revision,
                revision -> MemberListResponse.newBuilder()
                        // etcd tells no revision here.
                        .setHeader(identity.header(0))
                        .addMembers(Member.newBuilder()
                                .setID(identity.memberId())
                                .setName(MEMBER_NAME)
                                .addClientURLs(endpoint.get().toString()))
                        .build(),
                to);
    }
}
