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

    /** How often an unanswered renewal is sent again within the time between two: what is left after trouble is short. */
    private static final int TRIES = 10;

    private final KeyValueStore store;
    private final EventLoop loop;
    private final long leaseId;
    private final LeaseTimes times;
    private final Owner owner;

    private volatile long deadlineNanos;
    private volatile boolean ended;
    private Instant confirmedWall;
    private long confirmedNanos;
    private boolean failing;
    private EventLoop.Timer renewTimer = () -> {};
    private EventLoop.Timer fenceTimer = () -> {};

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
        this.confirmedNanos = sentNanos;
        this.confirmedWall = loop.wallTime().minusNanos(loop.nanoTime() - sentNanos);
        confirm(sentNanos);
        renewTimer = loop.schedule(times.renewEvery(), this::renew);
    }

    public long leaseId() {
        return leaseId;
    }

    /** Whether the owner may act on the lease at this moment; from any thread. */
    public boolean isSafe() {
        return !ended && loop.nanoTime() - deadlineNanos < 0;
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
        renewTimer.cancel();
        fenceTimer.cancel();
    }

    private void confirm(long sentNanos) {
        deadlineNanos = sentNanos + times.safeFor().toNanos();
        fenceTimer.cancel();
        fenceTimer = loop.schedule(
                Duration.ofNanos(Math.max(0, deadlineNanos - loop.nanoTime())),
                () -> fence("no renewal was answered for " + times.safeFor().toMillis() + " ms"));
    }

    /** Asks, and asks again soon unless an answer comes first: a call that hangs must not use up the whole TTL. */
    private void renew() {
        if (ended || wasSuspended()) {
            return;
        }
        long sent = loop.nanoTime();
        Instant sentWall = loop.wallTime();
        renewTimer = loop.schedule(times.renewEvery().dividedBy(TRIES), this::renew);
        loop.when(store.keepAlive(leaseId), lease -> answered(sent, sentWall), this::unanswered);
    }

    private void answered(long sent, Instant sentWall) {
        if (ended || wasSuspended() || sent - confirmedNanos <= 0) {
            return;
        }
        failing = false;
        confirmedNanos = sent;
        confirmedWall = sentWall;
        confirm(sent);
        renewTimer.cancel();
        renewTimer = loop.schedule(times.renewEvery(), this::renew);
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
        Duration wall = Duration.between(confirmedWall, loop.wallTime());
        Duration monotonic = Duration.ofNanos(loop.nanoTime() - confirmedNanos);
        if (wall.minus(monotonic).compareTo(times.stopMargin()) <= 0) {
            return false;
        }
        fence("the wall clock ran " + wall.minus(monotonic).toMillis() + " ms ahead: the machine was suspended");
        return true;
    }
}
