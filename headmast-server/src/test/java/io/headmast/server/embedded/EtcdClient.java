// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.Message;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A bare client of etcd's API: what goes over the wire, with nothing in between. */
final class EtcdClient implements AutoCloseable {
    private static final int MAX_INBOUND_BYTES = 64 << 20;
    private static final long LIMIT_SECONDS = 20;

    private final ManagedChannel channel;

    EtcdClient(int port) {
        channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .maxInboundMessageSize(MAX_INBOUND_BYTES)
                .build();
    }

    KVGrpc.KVBlockingStub kv() {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    LeaseGrpc.LeaseBlockingStub lease() {
        return LeaseGrpc.newBlockingStub(channel).withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    LeaseGrpc.LeaseStub keepAlives() {
        return LeaseGrpc.newStub(channel);
    }

    MaintenanceGrpc.MaintenanceBlockingStub maintenance() {
        return MaintenanceGrpc.newBlockingStub(channel).withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    ClusterGrpc.ClusterBlockingStub cluster() {
        return ClusterGrpc.newBlockingStub(channel).withDeadlineAfter(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    WatchGrpc.WatchStub watch() {
        return WatchGrpc.newStub(channel);
    }

    /** The answer as a text, or the error's code and words. */
    static String told(Supplier<? extends Message> call) {
        try {
            return call.get().toString();
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() + ": " + e.getStatus().getDescription();
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
