// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Keys;
import io.headmast.api.Payload;
import io.headmast.api.Server;
import io.headmast.api.json.Json;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.Op;
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
 * Makes one server the leader: the one that holds the leader key on its lease. The key's modification revision is the
 * term; every transaction of a leader compares it, so whoever was deposed commits nothing, however late.
 *
 * <p>Level-triggered: whenever the mirror moves, or an answer comes, it compares what the mirror shows with what it
 * holds. An answer that was lost therefore costs nothing: the mirror shows what came of it. It belongs to the mirror's
 * loop.
 */
public final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

    private final KeyValueStore store;
    private final ClusterMirror mirror;
    private final EventLoop loop;
    private final Keys keys;
    private final Server self;
    private final Payload announcement;
    private final Duration ttl;
    private final Runnable changed;

    private @Nullable LeaseKeeper session;
    private long term;

    /** As far as the last answer reaches: what an older mirror shows is no reason for anything. */
    private long answeredAt;

    private boolean busy;
    private boolean candidate;

    /** The leader key was not free although the mirror showed so, and has shown nothing else since. */
    private boolean beaten;

    /** Everything was listed again because the mirror was at odds with an answer of the store. */
    private boolean listedAgain;

    private boolean closed;

    /**
     * @param self how this server announces itself
     * @param ttl how long its lease lasts: what a crash of the leader costs
     * @param changed called on the loop when leadership was gained or lost
     */
    Leadership(KeyValueStore store, ClusterMirror mirror, Server self, Duration ttl, Runnable changed) {
        this.store = store;
        this.mirror = mirror;
        this.loop = mirror.loop();
        this.keys = mirror.keys();
        this.self = self;
        this.announcement = Json.toPayload(self.toJson());
        this.ttl = ttl;
        this.changed = changed;
    }

    void start() {
        mirror.addListener(names -> evaluate());
        openSession();
    }

    /** The fence for transactions of this leader; empty unless it leads, its lease is safe, and its mirror saw the term. */
    Optional<PlanCommitter.Fence> fence() {
        boolean leads = term != 0 && session != null && session.isSafe() && mirror.revision() >= term;
        return leads ? Optional.of(new PlanCommitter.Fence(keys.leader(), term)) : Optional.empty();
    }

    /** A transaction found, at that revision, another leader key than that term's. */
    void deposed(long lostTerm, long revision) {
        answeredAsOf(revision);
        if (term == lostTerm) {
            lose("another server holds the leader key");
            evaluate();
        }
    }

    /**
     * Rewrites the leader key, so that no transaction sent before can be applied any more, and begins a new term. It
     * takes effect once the mirror has come to the new term, which then shows what those transactions did.
     */
    void refence() {
        if (term == 0 || session == null || busy) {
            return;
        }
        long old = term;
        busy = true;
        Txn txn = new Txn(
                List.of(Compare.unmodified(keys.leader(), old)),
                List.of(Op.put(keys.leader(), announcement, session.leaseId())));
        loop.when(store.txn(txn), result -> refenced(old, result), failure -> {
            busy = false;
            LOG.warn("can't rewrite the leader key; tries again cause={}", failure.toString());
            later(changed);
        });
    }

    private void refenced(long old, TxnResult result) {
        if (term == old && result.succeeded()) {
            win(result.revision());
        } else if (term == old) {
            // Also when an earlier try of ours was applied: the mirror shows the key as ours then.
            lose("the leader key changed");
        }
        answered(result);
    }

    /** Gives leadership up at once by revoking the lease. */
    CompletableFuture<Void> close() {
        closed = true;
        term = 0;
        LeaseKeeper held = session;
        session = null;
        if (held == null) {
            return CompletableFuture.completedFuture(null);
        }
        held.close();
        return store.revokeLease(held.leaseId());
    }

    private void openSession() {
        if (closed) {
            return;
        }
        long sent = loop.nanoTime();
        loop.when(store.grantLease(ttl), lease -> opened(lease, sent), failure -> {
            LOG.warn("can't get a lease; tries again cause={}", failure.toString());
            later(this::openSession);
        });
    }

    private void opened(Lease lease, long sent) {
        if (closed) {
            var unused = store.revokeLease(lease.id());
            return;
        }
        session = new LeaseKeeper(store, loop, lease, sent, this::fenced);
        candidate = false;
        evaluate();
    }

    private void fenced(String reason) {
        if (session != null) {
            // Nothing runs on this lease but leadership itself: if it still holds, the next leader need not wait for
            // it.
            var unused = store.revokeLease(session.leaseId());
        }
        session = null;
        lose(reason);
        openSession();
    }

    private void evaluate() {
        LeaseKeeper held = session;
        if (closed || busy || held == null || mirror.revision() == 0 || mirror.revision() < answeredAt) {
            return;
        }
        Optional<ClusterMirror.Leader> leader = mirror.leader();
        Optional<ClusterMirror.Leader> mine = leader.filter(key -> key.lease() == held.leaseId());
        if (mine.isEmpty()) {
            lose("another server leads");
        }
        if (mine.isPresent() && candidate) {
            win(mine.get().term());
        }
        beaten &= leader.isEmpty();
        if (!candidate) {
            campaign(held);
        } else if (beaten || !mirror.announces(self)) {
            lookAgain(held);
        } else {
            listedAgain = false;
            if (leader.isEmpty()) {
                campaign(held);
            }
        }
    }

    /**
     * The mirror doesn't show what an answer of the store said. Either others have changed it since, or a watch passed
     * over it, and then trying again would never end: everything is listed before the next try.
     */
    private void lookAgain(LeaseKeeper held) {
        if (listedAgain) {
            listedAgain = false;
            campaign(held);
        } else {
            listedAgain = true;
            mirror.resync("at odds with an answer about the leader");
        }
    }

    /**
     * Announces this server, and takes the leader key if nobody has it. A key that no lease holds, or that can't be read,
     * was not written by a server: it is taken over.
     */
    private void campaign(LeaseKeeper held) {
        busy = true;
        boolean isFree = mirror.leader().isEmpty();
        long free = isFree ? mirror.leaderRevision() : 0;
        Txn lead = new Txn(
                List.of(Compare.unmodified(keys.leader(), free)),
                List.of(Op.put(keys.leader(), announcement, held.leaseId())));
        Txn txn = Txn.of(List.of(Op.put(keys.server(self.id()), announcement, held.leaseId()), new Op.Nested(lead)));
        loop.when(store.txn(txn), result -> campaigned(held, isFree, result), failure -> {
            busy = false;
            LOG.warn("can't announce this server; tries again cause={}", failure.toString());
            later(this::evaluate);
        });
    }

    private void campaigned(LeaseKeeper held, boolean wasFree, TxnResult result) {
        if (held == session) {
            candidate = true;
            beaten = wasFree && !result.nested(1).succeeded();
            if (result.nested(1).succeeded()) {
                win(result.revision());
            }
        }
        answered(result);
    }

    private void answered(TxnResult result) {
        busy = false;
        answeredAsOf(result.revision());
        // The mirror may have shown already what this answer says, and may not move again.
        evaluate();
        changed.run();
    }

    private void answeredAsOf(long revision) {
        answeredAt = Math.max(answeredAt, revision);
        mirror.expect(revision);
    }

    private void win(long newTerm) {
        if (term == newTerm) {
            return;
        }
        if (term == 0) {
            LOG.info("leads server={} term={}", self.id(), newTerm);
        }
        term = newTerm;
        changed.run();
    }

    private void lose(String reason) {
        if (term != 0) {
            LOG.info("leads no more server={} term={} reason={}", self.id(), term, reason);
            term = 0;
            changed.run();
        }
    }

    private void later(Runnable task) {
        var unused = loop.schedule(RETRY_PAUSE, task);
    }
}
