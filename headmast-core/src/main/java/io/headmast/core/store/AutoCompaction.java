// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a store's history bounded: from time to time it forgets what is both older and further back than what is to be
 * kept. Several may do so on one store. It belongs to its loop.
 */
public final class AutoCompaction implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AutoCompaction.class);

    /** How often it looks within the time to keep. */
    private static final int LOOKS = 10;

    /**
     * What is kept of history: as much as either says.
     *
     * @param time at least as far back as that
     * @param revisions at least so many
     */
    public record Keep(Duration time, long revisions) {
        public static final Keep DEFAULT = new Keep(Duration.ofMinutes(10), 10_000);
    }

    /** The history of a store. */
    public interface History {
        /** Where the store stands. */
        CompletableFuture<Long> revision();

        /** As {@link KeyValueStore#compact}. */
        CompletableFuture<?> compact(long revision);
    }

    private record Look(long at, long revision) {}

    private final EventLoop loop;
    private final History history;
    private final Keep keep;
    private final Deque<Look> looks = new ArrayDeque<>();
    private long compacted;
    private EventLoop.@Nullable Timer timer;
    private boolean closed;

    public AutoCompaction(EventLoop loop, History history, Keep keep) {
        this.loop = loop;
        this.history = history;
        this.keep = keep;
    }

    /** Begins; on the loop. */
    public void start() {
        look();
    }

    /** Ends; on the loop. */
    @Override
    public void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        timer = loop.schedule(keep.time().dividedBy(LOOKS), this::look);
        loop.when(history.revision(), this::seen, failure -> LOG.debug("revision not known cause={}", text(failure)));
    }

    private void seen(long revision) {
        long now = loop.nanoTime();
        looks.addLast(new Look(now, revision));
        long oldEnough = 0;
        while (!looks.isEmpty() && now - looks.getFirst().at() >= keep.time().toNanos()) {
            oldEnough = looks.removeFirst().revision();
        }
        long target = Math.min(oldEnough, revision - keep.revisions());
        if (target > compacted && !closed) {
            compact(target);
        }
    }

    private void compact(long target) {
        compacted = target;
        loop.when(history.compact(target), done -> LOG.debug("compacted revision={}", target), failure -> {
            // Somebody else was first: all the better.
            if (!(failure instanceof CompactedException)) {
                compacted = 0;
                LOG.warn("could not compact revision={} cause={}", target, text(failure));
            }
        });
    }

    private static String text(Throwable failure) {
        return failure.toString();
    }
}
