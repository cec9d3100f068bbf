// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An answer that goes on, read event by event by one thread; {@link #close} may come from any. Only what is read is asked
 * for, so a reader that is slow holds back the server and not memory.
 */
final class EventStream implements BodySubscriber<Received>, AutoCloseable {
    /** The most bytes of an event: a revision may hold as many jobs as a transaction, each with a payload at its limit. */
    static final int MAX_EVENT = 128 * 1024 * 1024;

    private final URI server;
    private final CompletableFuture<Flow.Subscription> subscribed = new CompletableFuture<>();
    private final BlockingQueue<Piece> arrived = new LinkedBlockingQueue<>();
    private final EventParser parser = new EventParser(MAX_EVENT);
    private final Deque<ByteBuffer> unread = new ArrayDeque<>();

    /** Some bytes of the stream, or its end. */
    private record Piece(List<ByteBuffer> bytes, @Nullable IOException end) {}

    EventStream(URI server) {
        this.server = server;
    }

    URI server() {
        return server;
    }

    /**
     * Waits for the next event, however long it takes as long as bytes come.
     *
     * @param silence how long none may come
     * @throws IOException if the stream has ended, or is silent
     */
    ServerEvent next(Duration silence) throws IOException, InterruptedException {
        while (true) {
            while (!unread.isEmpty()) {
                ServerEvent event = parser.next(unread.getFirst());
                if (event != null) {
                    return event;
                }
                unread.removeFirst();
            }
            await(silence);
        }
    }

    private void await(Duration silence) throws IOException, InterruptedException {
        Piece piece = arrived.poll(silence.toNanos(), TimeUnit.NANOSECONDS);
        if (piece == null) {
            throw new IOException("nothing came for " + silence.toSeconds() + " s");
        }
        if (piece.end != null) {
            // For whoever asks again.
            arrived.add(piece);
            throw piece.end;
        }
        unread.addAll(piece.bytes);
        Continuations.onSettled(subscribed, (subscription, failure) -> subscription.request(1));
    }

    /** Gives the connection up; a thread that waits for an event is told that there is none. */
    @Override
    public void close() {
        Continuations.onSettled(subscribed, (subscription, failure) -> subscription.cancel());
        end(new IOException("the stream was closed"));
    }

    /** Complete at once, since the answer never is. */
    @Override
    public CompletionStage<Received> getBody() {
        return CompletableFuture.completedFuture(Received.of(this));
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscribed.complete(subscription);
        subscription.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        arrived.add(new Piece(bytes, null));
    }

    @Override
    public void onError(Throwable failure) {
        end(failure instanceof IOException broken ? broken : new IOException(failure));
    }

    @Override
    public void onComplete() {
        end(new IOException("the server has ended the stream"));
    }

    private void end(IOException why) {
        arrived.add(new Piece(List.of(), why));
    }
}
