// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.MessageLite;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The answers of one stream on their way to a client that may read slowly. They leave in the order they came, by whichever
 * thread finds that there is room, and one thread at a time. Whoever has much to send asks first whether it {@link
 * #isFull}, and wants to be told {@link #whenEmpty} if so.
 */
final class Outbox<T extends MessageLite> {
    /** How many bytes may wait before it counts as full. */
    private static final long FULL_BYTES = 8 << 20;

    private final ServerCallStreamObserver<T> to;
    private final Runnable onEmpty;
    private final Queue<T> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final AtomicBoolean awaited = new AtomicBoolean();
    private volatile boolean ending;
    private boolean ended; // by the thread that sends

    /**
     * An outbox of a stream that has just begun.
     *
     * @param onEmpty called once nothing waits any more, if that was asked for; by any thread
     */
    Outbox(ServerCallStreamObserver<T> to, Runnable onEmpty) {
        this.to = to;
        this.onEmpty = onEmpty;
        to.setOnReadyHandler(this::drain);
    }

    boolean isFull() {
        return waitingBytes.get() > FULL_BYTES;
    }

    void send(T answer) {
        waitingBytes.addAndGet(answer.getSerializedSize());
        waiting.add(answer);
        drain();
    }

    /** Ends the stream in order; what still waits isn't sent. */
    void end() {
        ending = true;
        drain();
    }

    /** Asks for a call of {@code onEmpty}, which may come before this returns. */
    void whenEmpty() {
        awaited.set(true);
        drain();
    }

    private void drain() {
        if (wakeUps.getAndIncrement() != 0) {
            // The thread that is at it looks again.
            return;
        }
        boolean emptied = false;
        int seen = 1;
        while (seen != 0) {
            sendWhatFits();
            emptied |= waiting.isEmpty() && awaited.getAndSet(false);
            seen = wakeUps.addAndGet(-seen);
        }
        if (emptied) {
            onEmpty.run();
        }
    }

    private void sendWhatFits() {
        while (!ending && to.isReady()) {
            T answer = waiting.poll();
            if (answer == null) {
                return;
            }
            waitingBytes.addAndGet(-answer.getSerializedSize());
            to.onNext(answer);
        }
        if (ending && !ended) {
            ended = true;
            to.onCompleted();
        }
    }
}
