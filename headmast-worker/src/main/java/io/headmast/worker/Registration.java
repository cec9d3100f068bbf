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
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Duration;
import java.util.List;
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

    private final KeyValueStore store;
    private final EventLoop loop;
    private final String key;
    private final Owner owner;
    private final Enrolment enrolment;
    private Worker self;

    private @Nullable LeaseKeeper keeper;
    private long createRevision;
    private long modRevision;

    /** Who acts on the registration; called on the registration's loop. */
    interface Owner {
        /** Registered; the owner may act as long as {@code keeper} is safe. */
        void registered(Session session, LeaseKeeper keeper);

        /** Everything must stop now. {@link Registration#allEnded} is expected once it has. */
        void fenced(String reason);

        /** The first registration is refused for good. */
        void refused(HeadmastException why);
    }

    Registration(KeyValueStore store, EventLoop loop, Settings settings, Owner owner) {
        this.store = store;
        this.loop = loop;
        this.key = settings.keys().worker(settings.self().id());
        this.self = settings.self();
        this.owner = owner;
        this.enrolment = new Enrolment(store, loop, settings, () -> self, new Enrolment.Outcome() {
            @Override
            public void enrolled(Lease lease, long sent, long created, long at) {
                registered(lease, sent, created, at);
            }

            @Override
            public void refused(HeadmastException why) {
                owner.refused(why);
            }
        });
    }

    /**
     * @param keys where it is registered
     * @param self what is registered
     * @param ttl of the lease
     */
    record Settings(Keys keys, Worker self, Duration ttl) {}

    /** Begins to register; from any thread. */
    void start() {
        loop.execute(enrolment::begin);
    }

    /** All runs of the lease that was fenced have ended; from any thread. */
    void allEnded() {
        loop.execute(() -> {
            LeaseKeeper old = keeper;
            keeper = null;
            if (old == null) {
                return;
            }
            loop.when(store.revokeLease(old.leaseId()), done -> enrolment.begin(), failure -> enrolment.later());
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
                    List.of(Compare.created(key, createRevision)),
                    List.of(Op.put(key, Payload.wrap(next.marshalBinary()), held.leaseId())));
            loop.when(store.txn(txn), result -> updated(result, done), done::completeExceptionally);
        });
        return done;
    }

    /** Gives the registration up; everything of it must have ended. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            enrolment.close();
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
            enrolment.close();
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

    private void registered(Lease lease, long sent, long created, long at) {
        createRevision = created;
        modRevision = at;
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
                        && Enrolment.readable(item)
                                .filter(worker -> worker.incarnation().equals(self.incarnation()))
                                .isPresent())
                .isPresent();
        if (!stands && held == keeper && found.revision() >= modRevision) {
            held.fence("the registration is gone or another's");
        }
    }
}
