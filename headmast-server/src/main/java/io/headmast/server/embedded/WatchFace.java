// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** etcd's Watch service. */
final class WatchFace extends WatchGrpc.WatchImplBase {
    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Set<WatchStream> streams = ConcurrentHashMap.newKeySet();

    WatchFace(EmbeddedEngine engine, Identity identity) {
        this.engine = engine;
        this.identity = identity;
    }

    @Override
    public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> to) {
        var stream = new WatchStream(engine, identity, (ServerCallStreamObserver<WatchResponse>) to, streams::remove);
        streams.add(stream);
        return stream;
    }

    /** Tells the watches that asked for it, and had no news since the last time, how far they have come. */
    void reportProgress() {
        streams.forEach(WatchStream::reportProgress);
    }
}
