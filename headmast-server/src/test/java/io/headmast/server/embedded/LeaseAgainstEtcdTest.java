// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Leases and limits, as etcd has them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LeaseAgainstEtcdTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

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
    void ttlsAreGranted() {
        for (long ttl : List.of(-5L, 0L, 1L, 2L, 3L, 3600L, 9_000_000_000L, 9_000_000_001L)) {
            pair.same(
                    "ttl " + ttl,
                    client -> EtcdClient.told(() -> client.lease()
                            .leaseGrant(LeaseGrantRequest.newBuilder()
                                    .setID(1000 + ttl)
                                    .setTTL(ttl)
                                    .build())));
        }
    }

    @Test
    void deadLeaseIsKeptAliveForNoTime() {
        pair.same("keep-alives", client -> {
            client.lease()
                    .leaseGrant(
                            LeaseGrantRequest.newBuilder().setID(7).setTTL(60).build());
            var answers = new Answers();
            StreamObserver<LeaseKeepAliveRequest> requests = client.keepAlives().leaseKeepAlive(answers);
            for (long id : List.of(7L, 8L, 7L)) {
                requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(id).build());
            }
            requests.onCompleted();
            Await.until("the end", LIMIT, () -> answers.ended);
            return answers.texts.toString();
        });
    }

    @Test
    void keysOfALeaseAreTold() {
        pair.same("lease", client -> {
            client.lease()
                    .leaseGrant(
                            LeaseGrantRequest.newBuilder().setID(9).setTTL(3600).build());
            client.kv()
                    .put(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8("of-lease"))
                            .setLease(9)
                            .build());
            return client
                    .lease()
                    .leaseTimeToLive(LeaseTimeToLiveRequest.newBuilder()
                            .setID(9)
                            .setKeys(true)
                            .build())
                    .toBuilder()
                    .clearTTL()
                    .build()
                    .toString();
        });
    }

    @Test
    void largeRequestsAreRefused() {
        for (int bytes : List.of(
                KeyValueStore.MAX_REQUEST_BYTES - 1000,
                KeyValueStore.MAX_REQUEST_BYTES + 1000,
                2 * KeyValueStore.MAX_REQUEST_BYTES)) {
            pair.same(
                    bytes + " bytes",
                    client -> EtcdClient.told(() -> client.kv()
                            .put(PutRequest.newBuilder()
                                    .setKey(ByteString.copyFromUtf8("large"))
                                    .setValue(ByteString.copyFrom(new byte[bytes]))
                                    .build())));
        }
    }

    private static final class Answers implements StreamObserver<LeaseKeepAliveResponse> {
        private final List<String> texts = new CopyOnWriteArrayList<>();
        private volatile boolean ended;

        @Override
        public void onNext(LeaseKeepAliveResponse answer) {
            texts.add(answer.toString());
        }

        @Override
        public void onError(Throwable failure) {
            texts.add(failure.toString());
            ended = true;
        }

        @Override
        public void onCompleted() {
            ended = true;
        }
    }
}
