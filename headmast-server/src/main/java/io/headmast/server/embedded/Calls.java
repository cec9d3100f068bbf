// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.MessageLite;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.KeyValueStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** Answers calls: refuses what etcd refuses of any of them, and tells failures as etcd does. */
final class Calls {
    /** What etcd takes of a message: the largest request and room for what surrounds it. */
    static final int MAX_MESSAGE_BYTES = KeyValueStore.MAX_REQUEST_BYTES + (512 << 10);

    /** What etcd's log adds to a request, roughly. */
    private static final int LOG_OVERHEAD_BYTES = 18;

    /** etcd's limit for what was proposed and isn't applied yet. */
    private static final int MAX_UNDER_WAY = 5000;

    private final AtomicInteger underWay = new AtomicInteger();

    /** A call that reads. */
    <T, A> void read(
            MessageLite request, Supplier<CompletableFuture<T>> work, Function<T, A> convert, StreamObserver<A> to) {
        answer(
                to,
                () -> {
                    requireSize(request);
                    return work.get();
                },
                convert);
    }

    /** A call that may write. */
    <T, A> void write(
            MessageLite request, Supplier<CompletableFuture<T>> work, Function<T, A> convert, StreamObserver<A> to) {
        answer(
                to,
                () -> {
                    requireSize(request);
                    if (request.getSerializedSize() + LOG_OVERHEAD_BYTES > KeyValueStore.MAX_REQUEST_BYTES) {
                        throw EtcdStatus.REQUEST_TOO_LARGE.asRuntimeException();
                    }
                    return work.get();
                },
                convert);
    }

    private <T, A> void answer(StreamObserver<A> to, Supplier<CompletableFuture<T>> work, Function<T, A> convert) {
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            to.onError(EtcdStatus.TOO_MANY_REQUESTS.asRuntimeException());
            return;
        }
        CompletableFuture<T> result;
        try {
            result = work.get();
        } catch (StatusRuntimeException e) {
            result = CompletableFuture.failedFuture(e);
        }
        var unused = result.thenApply(convert).whenComplete((answer, failure) -> {
            underWay.decrementAndGet();
            if (failure == null) {
                to.onNext(answer);
                to.onCompleted();
            } else {
                to.onError(EtcdStatus.of(failure));
            }
        });
    }

    /** In the words of the gRPC that etcd is built with. */
    private static void requireSize(MessageLite request) {
        int size = request.getSerializedSize();
        if (size > MAX_MESSAGE_BYTES) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription(
                            "grpc: received message larger than max (" + size + " vs. " + MAX_MESSAGE_BYTES + ")")
                    .asRuntimeException();
        }
    }
}
