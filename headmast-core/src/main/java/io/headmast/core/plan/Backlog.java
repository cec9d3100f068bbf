// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.time.Instant;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for a placement, oldest first. Jobs that are alike for placement share a queue: once the first of a
 * queue finds no worker, none of it does until some worker takes more again, so a long backlog costs nothing to keep.
 */
final class Backlog {
    /** Oldest record first, so that a backlog is served in the order it came. */
    static final Comparator<JobSlot> OLDEST_FIRST = Comparator.<JobSlot>comparingLong(
                    slot -> slot.job == null ? 0 : slot.job.createRevision())
            .thenComparing(slot -> slot.id);

    private static final Comparator<Kind> KINDS =
            Comparator.comparing(Kind::domain).thenComparing(Kind::weight).thenComparing(Kind::jobId);

    private final TreeMap<Kind, Queue> queues = new TreeMap<>(KINDS);
    private long openings;

    /**
     * What makes jobs alike.
     *
     * @param jobId the job itself if something only it has matters; empty otherwise
     */
    record Kind(String domain, int weight, String jobId) {}

    static final class Queue {
        final Kind kind;
        final NavigableSet<JobSlot> waiting = new TreeSet<>(OLDEST_FIRST);

        /** The openings there had been when its first job found no worker. */
        private long blockedAt = -1;

        /** When it is worth another try even without an opening. */
        private @Nullable Instant retryAt;

        Queue(Kind kind) {
            this.kind = kind;
        }

        JobSlot head() {
            return waiting.first();
        }
    }

    void add(JobSlot slot, Kind kind) {
        remove(slot);
        Queue queue = queues.computeIfAbsent(kind, Queue::new);
        queue.waiting.add(slot);
        slot.queue = queue;
    }

    /** Must come before the slot's record changes, which the order rests on. */
    void remove(JobSlot slot) {
        Queue queue = slot.queue;
        if (queue != null) {
            queue.waiting.remove(slot);
            slot.queue = null;
            if (queue.waiting.isEmpty()) {
                queues.remove(queue.kind);
            }
        }
    }

    /** Some worker may take more than before: every queue is worth another try. */
    void opening() {
        openings++;
    }

    /** The queues worth trying, the one with the oldest job first; poll one, and offer it again if it isn't empty. */
    PriorityQueue<Queue> open(Instant now) {
        PriorityQueue<Queue> open = new PriorityQueue<>(Comparator.comparing(Queue::head, OLDEST_FIRST));
        for (Queue queue : queues.values()) {
            boolean due = queue.retryAt != null && !queue.retryAt.isAfter(now);
            if (queue.blockedAt != openings || due) {
                open.add(queue);
            }
        }
        return open;
    }

    void block(Queue queue, @Nullable Instant retryAt) {
        queue.blockedAt = openings;
        queue.retryAt = retryAt;
    }

    /** The earliest moment at which a blocked queue is worth another try; null for none. */
    @Nullable
    Instant nextRetry() {
        Instant next = null;
        for (Queue queue : queues.values()) {
            if (queue.retryAt != null && (next == null || queue.retryAt.isBefore(next))) {
                next = queue.retryAt;
            }
        }
        return next;
    }

    long size() {
        return queues.values().stream().mapToLong(queue -> queue.waiting.size()).sum();
    }
}
