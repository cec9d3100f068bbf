// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.Worker;
import io.headmast.core.agent.Session;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's presence: its registration key on its lease, kept alive and looked after by a loop of its own that nothing
 * else can block. The seed's {@code Heartbeat}.
 *
 * <p>When the lease is not safe any more, or the key is found to be another's, the owner is told at once; once the owner
 * says that all its runs have ended, the old lease is revoked and the worker registers anew, with nothing assigned. A
 * lease whose runs are not proved to have ended is never revoked.
 */
final class Registration {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);

    private final KeyValueStore store;
    private final EventLoop loop;
    private final String key;
    private final Duration ttl;
    private final Owner owner;
    private Worker self;

    private @Nullable LeaseKeeper keeper;
    private long createRevision;
    private long modRevision;
    private boolean closed;
    private boolean everRegistered;
    private @Nullable Rival rival;

    /** Who acts on the registration; called on the registration's loop. */
    interface Owner {
        /** Registered; the owner may act as long as {@code keeper} is safe. */
        void registered(Session session, LeaseKeeper keeper);

        /** Everything must stop now. {@link Registration#allEnded} is expected once it has. */
        void fenced(String reason);

        /** The first registration is refused for good. */
        void refused(HeadmastException why);
    }

    Registration(KeyValueStore store, EventLoop loop, Keys keys, Settings settings, Owner owner) {
        this.store = store;
        this.loop = loop;
        this.key = keys.worker(settings.self().id());
        this.self = settings.self();
        this.ttl = settings.ttl();
        this.owner = owner;
    }

    /**
     * @param self what is registered
     * @param ttl of the lease
     */
    record Settings(Worker self, Duration ttl) {}

    /** Begins to register; from any thread. */
    void start() {
        loop.execute(this::begin);
    }

    /** All runs of the lease that was fenced have ended; from any thread. */
    void allEnded() {
        loop.execute(() -> {
            LeaseKeeper old = keeper;
            keeper = null;
            if (old == null || closed) {
                return;
            }
            loop.when(store.revokeLease(old.leaseId()), done -> begin(), failure -> later());
        });
    }

    /**
     * Rewrites the registration, on its lease.
     *
     * @return the revision at which that was done
     */
    CompletableFuture<Long> update(Worker next) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        loop.execute(() -> {
            self = next;
            LeaseKeeper held = keeper;
            if (held == null || !held.isSafe()) {
                done.completeExceptionally(new HeadmastException.Unavailable("the worker is not registered"));
                return;
            }
            Txn txn = new Txn(
                    List.of(Compare.created(key, createRevision)), List.of(Op.put(key, record(), held.leaseId())));
            loop.when(store.txn(txn), result -> updated(result, done), done::completeExceptionally);
        });
        return done;
    }

    /** Gives the registration up; everything of it must have ended. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            closed = true;
            LeaseKeeper held = keeper;
            keeper = null;
            if (held == null) {
                done.complete(null);
                return;
            }
            held.close();
            loop.when(store.revokeLease(held.leaseId()), done::complete, done::completeExceptionally);
        });
        return done;
    }

    /** Stops renewing without revoking: runs have not ended, so the lease must lapse by itself. */
    void abandon() {
        loop.execute(() -> {
            closed = true;
            if (keeper != null) {
                keeper.close();
                keeper = null;
            }
        });
    }

    private void updated(TxnResult result, CompletableFuture<Long> done) {
        if (result.succeeded()) {
            modRevision = result.revision();
            done.complete(result.revision());
        } else {
            done.completeExceptionally(new HeadmastException.Conflict("the registration is gone"));
        }
    }

    private Payload record() {
        return Payload.wrap(self.marshalBinary());
    }

    private void later() {
        var unused = loop.schedule(RETRY_PAUSE, this::begin);
    }

    private void failed(Throwable failure) {
        if (!everRegistered
                && !(failure instanceof HeadmastException.Unavailable)
                && !(failure instanceof HeadmastException.Indeterminate)
                && failure instanceof HeadmastException refusal) {
            owner.refused(refusal);
            return;
        }
        LOG.warn("can't register; tries again worker={} cause={}", self.id(), failure.toString());
        later();
    }

    private void begin() {
        if (closed || keeper != null) {
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
                                    registered(lease, sent, result.revision(), result.revision());
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

    /** Nothing was started on that lease: if the key was put after all, it goes with the lease. */
    private void discard(long leaseId) {
        var unused = store.revokeLease(leaseId);
    }

    /** Somebody is registered under this id: a predecessor that is proved dead, this very process, or a rival. */
    private void meet(KeyValue found) {
        Optional<Worker> other = readable(found);
        boolean own = other.filter(worker -> worker.incarnation().equals(self.incarnation()))
                .isPresent();
        if (own) {
            // A put whose answer was lost, or a lease that was fenced: nothing runs on it.
            loop.when(remove(found), done -> begin(), failure -> later());
            return;
        }
        if (found.lease() == 0) {
            refuse("worker id " + self.id() + " is registered without a lease, which no worker does; delete the key "
                    + key + " if no such worker runs, or choose another worker id");
            return;
        }
        boolean predecessor = !self.home().isEmpty()
                && other.filter(worker -> worker.home().equals(self.home())
                                && worker.machine().id().equals(self.machine().id()))
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
                                    LOG.info("took the registration over from its predecessor worker={}", self.id());
                                    registered(lease, sent, found.createRevision(), result.revision());
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
                        refuse("worker id " + self.id() + " is in use by a live worker"
                                + other.map(Registration::whereabouts).orElse("")
                                + "; choose another worker id, or stop that worker");
                        return;
                    }
                    if (before == null || before.createRevision() != now.createRevision()) {
                        LOG.info(
                                "waits for the lease of another worker with this id worker={} left={}",
                                self.id(),
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
        if (everRegistered) {
            LOG.error("can't register again worker={} cause={}", self.id(), why.detail());
            rival = null;
            later();
        } else {
            closed = true;
            owner.refused(why);
        }
    }

    private void registered(Lease lease, long sent, long created, long at) {
        if (closed) {
            discard(lease.id());
            return;
        }
        everRegistered = true;
        createRevision = created;
        modRevision = at;
        rival = null;
        LeaseKeeper held = new LeaseKeeper(store, loop, lease, sent, new LeaseKeeper.Owner() {
            @Override
            public void renewed() {
                verify();
            }

            @Override
            public void fenced(String reason) {
                LOG.warn("fenced; everything stops worker={} reason={}", self.id(), reason);
                owner.fenced(reason);
            }
        });
        keeper = held;
        LOG.info(
                "registered worker={} lease={} ttl={} revision={}",
                self.id(),
                Long.toHexString(lease.id()),
                lease.ttl(),
                at);
        owner.registered(new Session(self.id(), lease.id(), created, at), held);
    }

    /** A lease can be revoked early and a key be deleted by hand: with every renewal the key is looked at, too. */
    private void verify() {
        LeaseKeeper held = keeper;
        if (held != null) {
            loop.when(store.range(RangeRequest.key(key)), found -> verified(held, found), failure -> {});
        }
    }

    private void verified(LeaseKeeper held, RangeResult found) {
        boolean stands = found.first()
                .filter(item -> item.createRevision() == createRevision
                        && item.lease() == held.leaseId()
                        && readable(item)
                                .filter(worker -> worker.incarnation().equals(self.incarnation()))
                                .isPresent())
                .isPresent();
        if (!stands && held == keeper && found.revision() >= modRevision) {
            held.fence("the registration is gone or another's");
        }
    }

    private static Optional<Worker> readable(KeyValue item) {
        try {
            return Optional.of(Worker.unmarshalBinary(item.value().toByteArray()));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
