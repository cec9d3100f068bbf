// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.Client;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A client for each endpoint, of which one is in use. jetcd can be given several endpoints itself, but then a member
 * that is dead or frozen stalls calls and watches for many seconds.
 */
final class Endpoints implements AutoCloseable {
    /** gRPC sends no pings more often than this, and etcd ends connections that send them more often than every 5 s. */
    private static final Duration PING_AFTER = Duration.ofSeconds(10);

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(3);

    private final List<Endpoint> all;
    private final AtomicInteger current = new AtomicInteger();

    Endpoints(JetcdOptions options) {
        var direct = new DirectExecutor();
        var uris = options.endpoints();
        Duration callsEndWithin = options.callTimeout().plus(JetcdCalls.GRACE);
        all = IntStream.range(0, uris.size())
                .mapToObj(
                        i -> new Endpoint(i, uris.get(i), () -> connect(uris.get(i), options, direct), callsEndWithin))
                .toList();
    }

    int size() {
        return all.size();
    }

    /** The one in use. */
    Endpoint current() {
        return all.get(current.get());
    }

    /** An endpoint let a call down: the next is used from now on, unless another call has moved on already. */
    void leave(Endpoint failed) {
        current.compareAndSet(failed.index(), (failed.index() + 1) % all.size());
    }

    /** All addresses, for messages. */
    @Override
    public String toString() {
        return all.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
    }

    @Override
    public void close() {
        all.forEach(Endpoint::close);
    }

    private static Client connect(URI uri, JetcdOptions options, DirectExecutor direct) {
        Client client = Client.builder()
                .endpoints(uri)
                .useVertx()
                // Callbacks run where the answer is decoded; none of ours blocks.
                .executorService(direct)
                .interceptor(new CallGuard(options.callTimeout()))
                .maxInboundMessageSize(options.maxInboundBytes())
                .connectTimeout(options.callTimeout())
                // A dead endpoint must fail a call at once, so that the next can be tried.
                .waitForReady(false)
                // jetcd would repeat grants and compactions of which it does not know whether they were applied.
                .retryMaxAttempts(0)
                .keepaliveTime(PING_AFTER)
                .keepaliveTimeout(PING_TIMEOUT)
                .keepaliveWithoutCalls(false)
                .build();
        // Made when first asked for, which takes long in a young JVM: not within the time limit of the first call.
        client.getKVClient();
        client.getLeaseClient();
        client.getWatchClient();
        return client;
    }
}
