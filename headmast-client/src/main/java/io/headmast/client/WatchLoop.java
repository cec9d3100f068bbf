// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobChange;
import io.headmast.api.JobPath;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a watch: reads a stream and tells what it says; when the stream breaks, takes it up behind the last
 * revision that was told to its end, at this server or another. Only whole events are told, and an event is a whole
 * revision, so nothing is told twice or left out.
 */
final class WatchLoop implements Runnable, AutoCloseable {
    /** A server says something every 5 s. */
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** However the client repeats its calls: a server that breaks every stream must not be asked without a pause. */
    private static final Duration MIN_PAUSE = Duration.ofMillis(100);

    private final Transport transport;
    private final JobPath path;
    private final WatchPathHandler handler;
    private final CompletableFuture<JobWatch> standing = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile WatchOptions from;
    private volatile boolean closed;

    /** Ends what the thread waits for; guarded by this. */
    private Runnable interruption = () -> {};

    /** Streams in a row that broke before they told anything. */
    private int breaks;

    WatchLoop(Transport transport, JobPath path, WatchOptions options, WatchPathHandler handler) {
        this.transport = transport;
        this.path = path;
        this.handler = handler;
        this.from = options;
    }

    JobPath path() {
        return path;
    }

    long revision() {
        return from.after().orElseThrow();
    }

    /** Completes when the server has said where the watch stands. */
    CompletableFuture<JobWatch> standing() {
        return standing;
    }

    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Any thread. */
    @Override
    public void close() {
        closed = true;
        Runnable interrupt;
        synchronized (this) {
            interrupt = interruption;
        }
        interrupt.run();
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                follow();
            }
            over(null);
        } catch (InterruptedException e) {
            over(new HeadmastException.Unavailable("the thread of the watch was interrupted"));
        } catch (Throwable e) {
            // Whatever it is, also what a handler throws: those who wait for the end must hear of it.
            over(closed ? null : e);
        }
    }

    /** One stream, from its opening until it breaks. */
    private void follow() throws InterruptedException {
        EventStream stream;
        try {
            stream = open();
        } catch (HeadmastException.Unavailable | HeadmastException.Indeterminate | HeadmastException.Internal e) {
            if (!standing.isDone()) {
                throw e;
            }
            pauseAfter(e);
            return;
        }
        try (stream) {
            hold(stream::close);
            while (!closed) {
                tell(stream.server(), stream.next(SILENCE));
            }
        } catch (IOException e) {
            transport.servers().left(stream.server());
            pauseAfter(e);
        }
    }

    private EventStream open() throws InterruptedException {
        CompletableFuture<EventStream> opening = transport.send(JobCalls.watch(path, from, this::adopt));
        hold(() -> opening.cancel(true));
        try {
            return opening.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HeadmastException refused) {
                throw refused;
            }
            throw new IllegalStateException("a watch could not be opened", e.getCause());
        }
    }

    /** On one of the wire's threads: nobody else would close a stream that comes after the end. */
    private EventStream adopt(EventStream stream) {
        if (closed) {
            stream.close();
        }
        return stream;
    }

    private void tell(URI server, ServerEvent event) throws IOException {
        WatchMessage message;
        try {
            message = WatchMessage.of(event);
        } catch (HeadmastException.Invalid e) {
            throw new HeadmastException.Internal(server + " told something that can't be understood: " + e.detail());
        }
        if (message instanceof WatchMessage.Progress progress) {
            stand(progress.revision());
        } else if (message instanceof WatchMessage.Changes changes) {
            tell(changes);
        } else if (message instanceof WatchMessage.End end) {
            if (end.why() instanceof HeadmastException.Unavailable || end.why() instanceof HeadmastException.Internal) {
                throw new IOException(end.why().detail(), end.why());
            }
            throw end.why();
        }
    }

    private void tell(WatchMessage.Changes told) {
        if (told.revision() <= from.after().orElse(-1)) {
            return;
        }
        for (JobChange change : told.changes()) {
            if (closed) {
                return;
            }
            handler.changed(path, change.job(), change.reason());
        }
        breaks = 0;
        stand(told.revision());
    }

    private void stand(long revision) {
        if (revision < from.after().orElse(0)) {
            return;
        }
        from = from.after(revision);
        standing.complete(new JobWatch(this));
        handler.progressed(path, revision);
    }

    private void pauseAfter(Exception why) throws InterruptedException {
        if (closed) {
            return;
        }
        Retries retries = transport.options().retries();
        breaks++;
        if (standing.isDone()) {
            handler.interrupted(path, why);
        } else if (breaks >= retries.rounds()) {
            throw new HeadmastException.Unavailable("the watch broke before it began: " + why.getMessage());
        }
        Duration pause = retries.pauseAfter(breaks, transport.pauses().random());
        CompletableFuture<Void> over = transport.pauses().pause(pause.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : pause);
        hold(() -> over.cancel(true));
        try {
            over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a pause failed", e);
        }
    }

    /** Remembers what is to be ended by a close, which may have come already. */
    private void hold(Runnable interrupt) {
        synchronized (this) {
            interruption = interrupt;
        }
        if (closed) {
            interrupt.run();
        }
    }

    private void over(@Nullable Throwable why) {
        try {
            if (why == null) {
                standing.completeExceptionally(new IllegalStateException("the watch was closed before it began"));
            } else if (!standing.completeExceptionally(why)) {
                handler.ended(path, why);
            }
        } finally {
            if (why == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(why);
            }
        }
    }
}
