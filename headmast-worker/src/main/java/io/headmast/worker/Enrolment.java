// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.api.Worker;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a worker comes to be registered: its key is created when there is none, taken over from a predecessor that is
 * proved to have ended, and waited for when it is another's. It belongs to its loop and goes on until it has come to an
 * {@link Outcome} or is closed.
 */
final class Enrolment {
    private static final Logger LOG = LoggerFactory.getLogger(Enrolment.class);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final String key;
    private final Duration ttl;
    private final Supplier<Worker> self;
    private final Outcome outcome;
    private boolean closed;
    private boolean everEnrolled;
    private @Nullable Rival rival;

    /** What came of it; called on the loop. */
    interface Outcome {
        /**
         * The key is this process's.
         *
         * @param sent when the request that granted or renewed the lease was sent, by the loop's clock
         * @param created the key's create revision
         * @param at the revision at which it was written
         */
        void enrolled(Lease lease, long sent, long created, long at);

        /** It is refused for good; not after it was enrolled once. */
        void refused(HeadmastException why);
    }

    Enrolment(
            KeyValueStore store,
            EventLoop loop,
            Registration.Settings settings,
            Supplier<Worker> self,
            Outcome outcome) {
        this.store = store;
        this.loop = loop;
        this.key = settings.keys().worker(settings.self().id());
        this.ttl = settings.ttl();
        this.self = self;
        this.outcome = outcome;
    }

    /** Nothing is written any more, but for what is under way. */
    void close() {
        closed = true;
    }

    /** Tries (again) in a while. */
    void later() {
        var unused = loop.schedule(RETRY_PAUSE, this::begin);
    }

    private void failed(Throwable failure) {
        if (!everEnrolled
                && !(failure instanceof HeadmastException.Unavailable)
                && !(failure instanceof HeadmastException.Indeterminate)
                && failure instanceof HeadmastException refusal) {
            outcome.refused(refusal);
            return;
        }
        LOG.warn("can't register; tries again worker={} cause={}", self.get().id(), failure.toString());
        later();
    }

    /** Reads who is registered, and does what follows. */
    void begin() {
        if (closed) {
            return;
        }
        loop.when(
                store.range(RangeRequest.key(key)),
                found -> {
                    if (found.items().isEmpty()) {
                        rival = null;
                        create();
                    } else {
                        meet(found.items().get(0));
                    }
                },
                this::failed);
    }

    private void create() {
        long sent = loop.nanoTime();
        loop.when(
                store.grantLease(ttl),
                lease -> {
                    Txn txn = new Txn(List.of(Compare.absent(key)), List.of(Op.put(key, record(), lease.id())));
                    loop.when(
                            store.txn(txn),
                            result -> {
                                if (result.succeeded()) {
                                    enrolled(lease, sent, result.revision(), result.revision());
                                } else {
                                    discard(lease.id());
                                    later();
                                }
                            },
                            failure -> {
                                discard(lease.id());
                                failed(failure);
                            });
                },
                this::failed);
    }

    /** Gives a lease up on which nothing was started: if the key was put after all, it goes with it. */
    void discard(long leaseId) {
        var unused = store.revokeLease(leaseId);
    }

    /** Somebody is registered under this id: a predecessor that is proved dead, this very process, or a rival. */
    private void meet(KeyValue found) {
        Optional<Worker> other = readable(found);
        boolean own = other.filter(
                        worker -> worker.incarnation().equals(self.get().incarnation()))
                .isPresent();
        if (own) {
            // A put whose answer was lost, or a lease that was fenced: nothing runs on it.
            loop.when(remove(found), done -> begin(), failure -> later());
            return;
        }
        if (found.lease() == 0) {
            refuse("worker id " + self.get().id()
                    + " is registered without a lease, which no worker does; delete the key " + key
                    + " if no such worker runs, or choose another worker id");
            return;
        }
        boolean predecessor = !self.get().home().isEmpty()
                && other.filter(worker -> worker.home().equals(self.get().home())
                                && worker.machine()
                                        .id()
                                        .equals(self.get().machine().id()))
                        .isPresent();
        if (predecessor) {
            takeOver(found);
        } else {
            outwait(found, other);
        }
    }

    /** Removes a key of this very process; with its lease, unless somebody has detached it from that. */
    private CompletableFuture<?> remove(KeyValue found) {
        return found.lease() == 0
                ? store.txn(new Txn(List.of(Compare.unmodified(key, found.modRevision())), List.of(Op.delete(key))))
                : store.revokeLease(found.lease());
    }

    /**
     * Adopts the registration of a predecessor on the same data directory. Holding that directory's lock proves that
     * the predecessor has ended.
     */
    private void takeOver(KeyValue found) {
        long sent = loop.nanoTime();
        loop.when(
                store.keepAlive(found.lease()),
                lease -> {
                    Txn txn = new Txn(
                            List.of(Compare.unmodified(key, found.modRevision())),
                            List.of(Op.put(key, record(), lease.id())));
                    loop.when(
                            store.txn(txn),
                            result -> {
                                if (result.succeeded()) {
                                    LOG.info(
                                            "took the registration over from its predecessor worker={}",
                                            self.get().id());
                                    enrolled(lease, sent, found.createRevision(), result.revision());
                                } else {
                                    later();
                                }
                            },
                            this::failed);
                },
                failure -> {
                    if (failure instanceof LeaseNotFoundException) {
                        later();
                    } else {
                        failed(failure);
                    }
                });
    }

    /**
     * Another process has this id. If it is dead its lease lapses; if its lease is renewed it is alive, and this worker
     * is refused.
     */
    private void outwait(KeyValue found, Optional<Worker> other) {
        long asked = loop.nanoTime();
        loop.when(
                store.timeToLive(found.lease()),
                left -> {
                    Rival now = new Rival(found.createRevision(), asked + left.toNanos());
                    Rival before = rival;
                    boolean renewed = before != null
                            && before.createRevision() == now.createRevision()
                            && now.lapsesAtNanos() - before.lapsesAtNanos() > Rival.SLACK_NANOS;
                    if (renewed) {
                        refuse("worker id " + self.get().id() + " is in use by a live worker"
                                + other.map(Enrolment::whereabouts).orElse("")
                                + "; choose another worker id, or stop that worker");
                        return;
                    }
                    if (before == null || before.createRevision() != now.createRevision()) {
                        LOG.info(
                                "waits for the lease of another worker with this id worker={} left={}",
                                self.get().id(),
                                left);
                        rival = now;
                    }
                    later();
                },
                failure -> later());
    }

    /** The lease of another process as first seen: if it later lapses much later than that, it was renewed. */
    private record Rival(long createRevision, long lapsesAtNanos) {
        /** The store tells whole seconds. */
        static final long SLACK_NANOS = Duration.ofMillis(1500).toNanos();
    }

    private static String whereabouts(Worker other) {
        return " on host " + other.machine().hostname() + " since " + other.since();
    }

    private void refuse(String problem) {
        HeadmastException.Conflict why = new HeadmastException.Conflict(problem);
        if (everEnrolled) {
            LOG.error("can't register again worker={} cause={}", self.get().id(), why.detail());
            rival = null;
            later();
        } else {
            closed = true;
            outcome.refused(why);
        }
    }

    private void enrolled(Lease lease, long sent, long created, long at) {
        if (closed) {
            discard(lease.id());
            return;
        }
        everEnrolled = true;
        rival = null;
        outcome.enrolled(lease, sent, created, at);
    }

    private Payload record() {
        return Payload.wrap(self.get().marshalBinary());
    }

    /** A registration, if it can be read. */
    static Optional<Worker> readable(KeyValue item) {
        try {
            return Optional.of(Worker.unmarshalBinary(item.value().toByteArray()));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
