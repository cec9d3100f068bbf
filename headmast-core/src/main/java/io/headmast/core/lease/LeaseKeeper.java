// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.lease;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.LeaseNotFoundException;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one lease alive and knows until when its owner may act on it.
 *
 * <p>The deadline counts on the monotonic clock from the moment the last <em>answered</em> renewal was <em>sent</em>,
 * with the TTL that the store granted, less {@link LeaseTimes#stopMargin} to stop in and one per cent for clocks that
 * run at different rates. A wall clock that ran ahead of the monotonic one means that the machine was suspended, which
 * the monotonic clock does not count; it fences as well. The store's own callbacks come too late for that and aren't
 * used.
 *
 * <p>It belongs to its loop: every method must be called there except {@link #isSafe()}, and the owner is called there.
 * After the fence it does nothing any more; a new lease needs a new keeper.
 */
public final class LeaseKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final long leaseId;
    private final LeaseTimes times;
    private final Owner owner;

    private volatile Confirmed confirmed;
    private volatile boolean ended;
    private boolean failing;
    private EventLoop.Timer tickTimer = () -> {};
    private EventLoop.Timer fenceTimer = () -> {};

    /** When the last answered renewal was sent, by both clocks. */
    private record Confirmed(long nanos, Instant wall) {}

    /** What holds the lease. */
    public interface Owner {
        /** A renewal was answered. */
        default void renewed() {}

        /** The owner must stop acting on the lease now: {@link LeaseTimes#stopMargin} remains at best. Called once. */
        void fenced(String reason);
    }

    /**
     * Starts to keep {@code lease}.
     *
     * @param sentNanos when the request that granted or renewed it was sent, by the loop's clock
     */
    public LeaseKeeper(KeyValueStore store, EventLoop loop, Lease lease, long sentNanos, Owner owner) {
        this.store = store;
        this.loop = loop;
        this.leaseId = lease.id();
        this.times = LeaseTimes.of(lease.ttl());
        this.owner = owner;
        this.confirmed = new Confirmed(sentNanos, loop.wallTime().minusNanos(loop.nanoTime() - sentNanos));
        armFence();
        armTick();
    }

    public long leaseId() {
        return leaseId;
    }

    /** Whether the owner may act on the lease at this moment; from any thread. */
    public boolean isSafe() {
        Confirmed last = confirmed;
        return !ended && untilDeadline(last) > 0 && !isSuspension(aheadSince(last));
    }

    /** Fences the owner for a reason that was found elsewhere, such as a registration that is gone. */
    public void fence(String reason) {
        if (!ended) {
            close();
            owner.fenced(reason);
        }
    }

    /** Stops keeping the lease, without telling the owner and without revoking it. */
    @Override
    public void close() {
        ended = true;
        tickTimer.cancel();
        fenceTimer.cancel();
    }

    private void armFence() {
        fenceTimer.cancel();
        fenceTimer = loop.schedule(
                Duration.ofNanos(Math.max(0, untilDeadline(confirmed))),
                () -> fence("no renewal was answered for " + times.safeFor().toMillis() + " ms"));
    }

    private long untilDeadline(Confirmed last) {
        return last.nanos + times.safeFor().toNanos() - loop.nanoTime();
    }

    /** Looks again soon, and exactly when the next renewal is due. */
    private void armTick() {
        long untilDue = confirmed.nanos + times.renewEvery().toNanos() - loop.nanoTime();
        long soon = times.retryEvery().toNanos();
        tickTimer.cancel();
        tickTimer = loop.schedule(Duration.ofNanos(untilDue > 0 ? Math.min(untilDue, soon) : soon), this::tick);
    }

    /** Notices a suspension, and asks for a renewal that is due, also when an earlier call still hangs. */
    private void tick() {
        if (ended || wasSuspended()) {
            return;
        }
        long sent = loop.nanoTime();
        if (sent - confirmed.nanos >= times.renewEvery().toNanos()) {
            Confirmed asked = new Confirmed(sent, loop.wallTime());
            loop.when(store.keepAlive(leaseId), lease -> answered(asked), this::unanswered);
        }
        armTick();
    }

    private void answered(Confirmed asked) {
        if (ended || wasSuspended() || asked.nanos - confirmed.nanos <= 0) {
            return;
        }
        failing = false;
        confirmed = asked;
        armFence();
        armTick();
        owner.renewed();
    }

    private void unanswered(Throwable cause) {
        if (ended) {
            return;
        }
        if (cause instanceof LeaseNotFoundException) {
            fence("the lease is gone");
            return;
        }
        if (!failing) {
            failing = true;
            LOG.warn(
                    "lease renewal failed; tries again lease={} cause={}", Long.toHexString(leaseId), cause.toString());
        }
    }

    private boolean wasSuspended() {
        Duration ahead = aheadSince(confirmed);
        if (!isSuspension(ahead)) {
            return false;
        }
        fence("the wall clock ran " + ahead.toMillis() + " ms ahead: the machine was suspended");
        return true;
    }

    private boolean isSuspension(Duration ahead) {
        return ahead.compareTo(times.stopMargin()) > 0;
    }

    /** How far the wall clock ran ahead of the monotonic one. */
    private Duration aheadSince(Confirmed last) {
        return Duration.between(last.wall, loop.wallTime()).minusNanos(loop.nanoTime() - last.nanos);
    }
}
