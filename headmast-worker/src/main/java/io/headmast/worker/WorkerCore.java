// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.core.agent.AgentState;
import io.headmast.core.agent.Session;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does on its two loops: it is present by one of them and works by the other, and each hears of the
 * other. It never blocks and starts no thread, so it works in any kind of time. Thread-safe.
 */
final class WorkerCore {
    private final Worker self;
    private final UnitManager units;
    private final Agent agent;
    private final Registration registration;
    private final Host host;
    private volatile @Nullable LeaseKeeper lease;

    /**
     * @param keys where it registers
     * @param self what it registers
     * @param ttl of its lease
     */
    record Identity(Keys keys, Worker self, Duration ttl) {}

    /**
     * @param agentLoop where it works
     * @param heartbeatLoop where it is present; one that nothing else can block
     * @param mirror how it follows the store
     */
    record Means(EventLoop agentLoop, EventLoop heartbeatLoop, MirrorOptions mirror) {}

    /** What the worker is embedded in; called on its loops, must not throw. */
    interface Host {
        /** It is registered, for the first time or again. */
        void registered();

        /** It is refused for good. */
        void refused(HeadmastException why);

        /** All its jobs were told to stop. */
        void ownershipLost(String reason);
    }

    WorkerCore(Identity identity, KeyValueStore store, Means means, UnitManager units, Host host) {
        this.self = identity.self();
        this.units = units;
        this.host = host;
        Keys keys = identity.keys();
        this.registration = new Registration(
                store, means.heartbeatLoop(), new Registration.Settings(keys, self, identity.ttl()), new Presence());
        this.agent = new Agent(
                Agent.source(store, means.agentLoop(), keys, self.id()),
                keys,
                self.id(),
                new Agent.Parts(units, registration::allEnded, means.mirror()));
    }

    /** Begins to register and to follow the store. */
    void start() {
        agent.start();
        registration.start();
    }

    /** Whether it is registered on a lease that is safe. */
    boolean isRunning() {
        LeaseKeeper held = lease;
        return held != null && held.isSafe();
    }

    /** What it should and does run; only on the agent's loop. */
    AgentState agentState() {
        return agent.state();
    }

    /** Takes nothing more and hands everything back; done when nothing of it runs and nothing is assigned to it. */
    CompletableFuture<Void> handBack() {
        return registration.update(self.withClosing(true)).thenCompose(revision -> {
            CompletableFuture<Void> done = new CompletableFuture<>();
            agent.close(revision, () -> done.complete(null));
            return done;
        });
    }

    /** Gives its lease up, after everything was handed back. */
    CompletableFuture<Void> leave() {
        return registration.close();
    }

    /** Stops everything although nothing can be handed back: the lease lapses by itself. */
    void abandon(String reason) {
        // In that order: when all has ended, nothing is registered anew; and what stops isn't started again.
        registration.abandon();
        agent.sessionEnded();
        units.stopAll(reason);
    }

    /** Ends what was left or abandoned. */
    void shutDown() {
        lease = null;
        agent.shutDown();
        units.close();
    }

    private final class Presence implements Registration.Owner {
        @Override
        public void registered(Session session, LeaseKeeper keeper) {
            lease = keeper;
            agent.sessionBegun(session, keeper);
            host.registered();
        }

        @Override
        public void fenced(String reason) {
            // On the heartbeat's own loop, so that a busy agent delays nothing.
            // The agent first, so that nothing that stops now is started again.
            agent.sessionEnded();
            units.stopAll("the worker lost its lease: " + reason);
            host.ownershipLost(reason);
        }

        @Override
        public void refused(HeadmastException why) {
            host.refused(why);
        }
    }
}
