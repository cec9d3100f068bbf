// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.HeadmastException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams that are open, within a bound of their own. None holds a place of the {@link Gate}, or counts as a request
 * that is under way. One whose reader doesn't read is cut off. Thread-safe.
 */
final class Streams {
    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);

    /** How often in the time that a write may take the writes are looked at. */
    private static final int LOOKS = 4;

    private final int max;
    private final long writeNanos;
    private final Set<OpenStream> open = new HashSet<>();
    private boolean ending;

    Streams(HttpLimits limits, ScheduledExecutorService watchdog) {
        this.max = limits.maxStreams();
        this.writeNanos = limits.writeTime().toNanos();
        long pause = Math.max(1, writeNanos / LOOKS);
        var unused = watchdog.scheduleWithFixedDelay(this::cutStuck, pause, pause, TimeUnit.NANOSECONDS);
    }

    /**
     * Takes a place for the stream of an answer; {@link OpenStream#run} gives it back.
     *
     * @param path names it in the log
     * @throws HeadmastException.Unavailable if there is none; the stream is closed then
     */
    OpenStream admit(String path, Response response, StreamBody body) {
        OpenStream stream = new OpenStream(this, path, response, body);
        synchronized (this) {
            if (!ending && open.size() < max) {
                open.add(stream);
                return stream;
            }
        }
        body.close();
        throw new HeadmastException.Unavailable(
                "this server has no place for another stream (the limit is " + max + "); try another server, or later");
    }

    /** Admits no more, lets every stream say its last words, and cuts off those that take longer than {@code limit}. */
    void end(Duration limit) throws InterruptedException {
        synchronized (this) {
            ending = true;
        }
        list().forEach(OpenStream::end);
        if (awaitNone(limit)) {
            return;
        }
        List<OpenStream> stuck = list();
        LOG.info("streams are cut off open={} limit={}", stuck.size(), limit);
        stuck.forEach(OpenStream::cut);
        if (!awaitNone(limit)) {
            LOG.warn("streams do not end open={}", count());
        }
    }

    synchronized int count() {
        return open.size();
    }

    synchronized void leave(OpenStream stream) {
        open.remove(stream);
        if (open.isEmpty()) {
            notifyAll();
        }
    }

    private void cutStuck() {
        for (OpenStream stream : list()) {
            if (stream.isStuck(writeNanos)) {
                LOG.info("stream is cut off: its reader doesn't read path={}", stream.path());
                stream.cut();
            }
        }
    }

    private synchronized List<OpenStream> list() {
        return List.copyOf(open);
    }

    private synchronized boolean awaitNone(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!open.isEmpty()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0) {
                return false;
            }
            wait(millis);
        }
        return true;
    }
}
