// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Machine;
import io.headmast.api.Payload;
import io.headmast.api.Worker;
import io.headmast.core.agent.Session;
import io.headmast.core.lease.LeaseKeeper;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.Op;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.PausableLoop;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Processes that register as worker {@code w}, each with a loop and a way to the store of its own, in virtual time. */
final class RegistrationBench {
    static final String ID = "w";
    static final Duration TTL = Duration.ofSeconds(10);

    final VirtualLoop time = new VirtualLoop();
    final MvccStore store = new MvccStore(time);
    final String key = Keys.DEFAULT.worker(ID);

    /** One process, and what its registration told it. */
    static final class Member implements Registration.Owner {
        final PausableLoop loop;
        final FaultyStore way;
        final Registration registration;
        final List<Session> sessions = new ArrayList<>();
        final List<LeaseKeeper> keepers = new ArrayList<>();
        final List<String> fences = new ArrayList<>();
        final List<HeadmastException> refusals = new ArrayList<>();
        long fencedAtNanos;

        Member(VirtualLoop time, MvccStore store, Worker self) {
            loop = new PausableLoop(time);
            way = new FaultyStore(store, time);
            registration = new Registration(way, loop, new Registration.Settings(Keys.DEFAULT, self, TTL), this);
        }

        @Override
        public void registered(Session session, LeaseKeeper keeper) {
            sessions.add(session);
            keepers.add(keeper);
        }

        @Override
        public void fenced(String reason) {
            fences.add(reason);
            fencedAtNanos = loop.nanoTime();
        }

        @Override
        public void refused(HeadmastException why) {
            refusals.add(why);
        }

        Session session() {
            return sessions.get(sessions.size() - 1);
        }

        /** Ends as a crash does. */
        void kill9() {
            loop.stop();
            way.cut();
        }
    }

    /** A process that begins to register. */
    Member start(String incarnation) {
        return start(self(incarnation, "", "m"));
    }

    Member start(Worker self) {
        Member process = new Member(time, store, self);
        process.registration.start();
        return process;
    }

    /** A process that is registered. */
    Member registered(String incarnation) {
        return registered(self(incarnation, "", "m"));
    }

    Member registered(Worker self) {
        Member process = start(self);
        settle();
        return process;
    }

    static Worker self(String incarnation, String home, String machineId) {
        return new Worker(
                ID,
                incarnation,
                home,
                new Machine(machineId, "host", "", Map.of(), "1", 2, 0),
                Set.of(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                false,
                Instant.EPOCH,
                List.of(),
                List.of());
    }

    void advance(Duration duration) {
        time.advance(duration);
    }

    /** Long enough for what waits for nothing but answers. */
    void settle() {
        time.advance(Duration.ofMillis(100));
    }

    /** The registration as it is in the store. */
    Optional<KeyValue> stored() {
        return get(store.range(RangeRequest.key(key))).first();
    }

    Optional<String> storedIncarnation() {
        return stored().map(item ->
                Worker.unmarshalBinary(item.value().toByteArray()).incarnation());
    }

    /** Somebody writes the key. */
    void put(Payload value, long lease) {
        var unused = get(store.txn(Txn.of(List.of(Op.put(key, value, lease)))));
    }

    void delete() {
        var unused = get(store.txn(Txn.of(List.of(Op.delete(key)))));
    }

    /** A job is assigned on that lease. */
    void assign(String jobId, long lease) {
        var unused =
                get(store.txn(Txn.of(List.of(Op.put(Keys.DEFAULT.assignment(ID, jobId), Payload.of("{}"), lease)))));
    }

    boolean isAssigned(String jobId) {
        return get(store.range(RangeRequest.key(Keys.DEFAULT.assignment(ID, jobId))))
                .first()
                .isPresent();
    }

    boolean lives(long lease) {
        CompletableFuture<Duration> left = store.timeToLive(lease);
        time.runUntilIdle();
        return !left.isCompletedExceptionally();
    }

    <T> T get(CompletableFuture<T> future) {
        time.runUntilIdle();
        return Await.value(future, Duration.ZERO);
    }
}
