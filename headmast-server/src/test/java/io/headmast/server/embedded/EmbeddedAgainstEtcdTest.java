// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The embedded store against the real thing, on the wire: the same random requests to both, fresh, and every field of every
 * answer must be the same but for the ids of cluster and member.
 */
final class EmbeddedAgainstEtcdTest {
    private static final int REQUESTS = 400;
    private static final long LONG = 3600;
    private static final ByteString ZERO = ByteString.copyFrom(new byte[] {0});

    private final List<Long> leases = List.of(11L, 22L, 33L, 44L);
    private final EtcdPair pair = new EtcdPair();
    private int asked;
    private long revision = 1;
    private long compacted;

    @AfterEach
    void end() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void sameRequestsGetTheSameAnswers(long seed) {
        var random = new Random(seed);
        var requests = new RandomRequests(random, leases);
        for (int i = 0; i < REQUESTS; i++) {
            ask(seed, random, requests);
        }
        watchHistory(seed, random);
    }

    private void ask(long seed, Random random, RandomRequests requests) {
        switch (random.nextInt(20)) {
            case 0 ->
                same(seed, grant(random), request -> client -> client.lease().leaseGrant(request));
            case 1 ->
                same(
                        seed,
                        LeaseRevokeRequest.newBuilder().setID(lease(random)).build(),
                        request -> client -> client.lease().leaseRevoke(request));
            case 2 ->
                same(
                        seed,
                        LeaseTimeToLiveRequest.newBuilder().setID(lease(random)).build(),
                        request -> client -> client.lease().leaseTimeToLive(request).toBuilder()
                                // A second may have passed on one of them.
                                .setTTL(0)
                                .build());
            case 3 -> compact(seed, random);
            case 4, 5, 6 ->
                same(seed, requests.put(), request -> client -> client.kv().put(request));
            case 7, 8 ->
                same(seed, requests.delete(), request -> client -> client.kv().deleteRange(request));
            case 9, 10, 11, 12 ->
                same(
                        seed,
                        requests.range(revision),
                        request -> client -> client.kv().range(request));
            default ->
                same(
                        seed,
                        requests.txn(revision, 2),
                        request -> client -> client.kv().txn(request));
        }
        RangeRequest all =
                RangeRequest.newBuilder().setKey(ZERO).setRangeEnd(ZERO).build();
        same(seed, all, request -> client -> client.kv().range(request));
        revision = pair.embedded().kv().range(all).getHeader().getRevision();
    }

    private LeaseGrantRequest grant(Random random) {
        long ttl = random.nextInt(10) == 0 ? 9_000_000_001L : LONG;
        return LeaseGrantRequest.newBuilder().setID(lease(random)).setTTL(ttl).build();
    }

    private long lease(Random random) {
        return leases.get(random.nextInt(leases.size()));
    }

    private void compact(long seed, Random random) {
        long at = revision + 1 - random.nextInt(20);
        if (at > 0) {
            same(
                    seed,
                    CompactionRequest.newBuilder().setRevision(at).build(),
                    request -> client -> client.kv().compact(request));
            compacted = at > compacted && at <= revision ? at : compacted;
        }
    }

    /** All that is left of the history; but for the compaction revision, where etcd may have lost deletions. */
    private void watchHistory(long seed, Random random) {
        PutRequest last = PutRequest.newBuilder().setKey(ZERO).build();
        same(seed, last, request -> client -> client.kv().put(request));
        revision++;
        WatchCreateRequest from = WatchCreateRequest.newBuilder()
                .setKey(ZERO)
                .setRangeEnd(ZERO)
                .setStartRevision(compacted + 1)
                .setPrevKv(random.nextBoolean())
                .build();
        pair.same(
                "history, seed " + seed,
                client -> WatchRecording.of(client, from).eventsUpTo(revision).toString());
    }

    private <Q extends Message> void same(long seed, Q request, Function<Q, Function<EtcdClient, Message>> call) {
        asked++;
        pair.same(
                "seed " + seed + ", request " + asked + ": " + request,
                client -> EtcdClient.told(() -> call.apply(request).apply(client)));
    }
}
