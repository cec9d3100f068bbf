// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Assignment;
import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.RunState;
import io.headmast.api.Server;
import io.headmast.api.Worker;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.mirror.Mirror;
import io.headmast.core.mirror.MirrorListener;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.mirror.MirrorSource;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.plan.Known;
import io.headmast.core.plan.Observer;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.event.Level;

/**
 * Gather: one mirror over everything under the prefix, turned into {@link ClusterState}. Every server has one, whether
 * it leads or not; so it answers reads, and taking over is no more than catching up.
 *
 * <p>It belongs to its loop, except where a method says otherwise.
 */
public final class ClusterMirror implements AutoCloseable {
    /** How long an answer's revision may be ahead of the mirror before everything is listed again. */
    private static final Duration LAG_LIMIT = Duration.ofSeconds(1);

    /** How long a read waits for the mirror to reach a revision that is known to exist. */
    private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final Keys keys;
    private final ClusterState state = new ClusterState();
    private final Observer observer = new Observer(state);
    private final Mirror<Fact> mirror;
    private final List<Listener> listeners = new ArrayList<>();
    private final NavigableMap<Long, List<Runnable>> waiting = new TreeMap<>();
    private final NavigableMap<String, Server> servers = new TreeMap<>();
    private RecordReader records = (job, revision) -> {};
    private Optional<Leader> leader = Optional.empty();
    private long leaderRevision;
    private long expected;
    private boolean watchingLag;

    /** Called on the loop when the mirror has moved; see {@link MirrorListener}. */
    public interface Listener {
        void moved(List<Difference<Fact>> differences);

        default void listed(List<Difference<Fact>> differences) {
            moved(differences);
        }

        default void passedOver() {}

        default void troubled(Throwable cause) {}
    }

    /** Is shown each job's record as it is read, on the loop: the mirror itself doesn't keep the payload. */
    public interface RecordReader {
        void read(Job job, long modRevision);
    }

    /**
     * The holder of the leader key.
     *
     * @param term the key's modification revision: what the leader's transactions compare
     * @param lease the lease that the key is on
     */
    public record Leader(Server server, long term, long lease) {}

    public ClusterMirror(KeyValueStore store, EventLoop loop, Keys keys, MirrorOptions options) {
        this(store, loop, keys, options, Level.WARN);
    }

    /** One that goes through the past again: what was wrong there was reported at its time. */
    public static ClusterMirror ofPast(KeyValueStore store, EventLoop loop, Keys keys, MirrorOptions options) {
        return new ClusterMirror(store, loop, keys, options, Level.DEBUG);
    }

    private ClusterMirror(KeyValueStore store, EventLoop loop, Keys keys, MirrorOptions options, Level reports) {
        this.loop = loop;
        this.keys = keys;
        MirrorSource source = new MirrorSource(store, KeyRange.prefix(keys.all()), loop);
        var projection = Fact.projection(keys, (job, revision) -> records.read(job, revision), reports);
        mirror = new Mirror<>(source, projection, options, new Moves());
    }

    /** Begins to list. */
    public void start() {
        mirror.start();
    }

    /** Begins as of an older revision, and catches up from there; see {@link Mirror#startAt}. */
    public void startAt(long revision) {
        mirror.startAt(revision);
    }

    @Override
    public void close() {
        mirror.close();
    }

    /** Lists everything again: what it shows was found to be wrong. */
    void resync(String reason) {
        mirror.resync(reason);
    }

    /**
     * An answer of the store is as of that revision, and something waits for the mirror to come there. Others may use
     * the same etcd: when nothing under the prefix changes, no event ever tells that revision, so it is asked for.
     */
    void expect(long revision) {
        expected = Math.max(expected, revision);
        if (!watchingLag && mirror.revision() < expected) {
            watchingLag = true;
            var unused = loop.schedule(LAG_LIMIT, () -> {
                watchingLag = false;
                if (mirror.revision() < expected && mirror.isFollowing()) {
                    mirror.resync("behind an answer of the store");
                }
            });
        }
    }

    public EventLoop loop() {
        return loop;
    }

    public Keys keys() {
        return keys;
    }

    public ClusterState state() {
        return state;
    }

    /** The cluster as users are shown it. */
    public Observer observer() {
        return observer;
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Shows records to {@code reader}, and to no other any more. */
    public void showRecords(RecordReader reader) {
        records = reader;
    }

    /** Whether everything was listed and a watch follows; from any thread. */
    public boolean isFollowing() {
        return mirror.isFollowing();
    }

    /** The revision it is as of; 0 before the first listing. */
    public long revision() {
        return mirror.revision();
    }

    /** Empty also while the leader key is one that no server wrote: not on a lease, or not readable. */
    public Optional<Leader> leader() {
        return leader;
    }

    /** The modification revision of the leader key, whatever it holds; 0 when it is absent. */
    long leaderRevision() {
        return leaderRevision;
    }

    /** Whether this very life of a server is announced. */
    boolean announces(Server self) {
        Server shown = servers.get(self.id());
        return shown != null && shown.incarnation().equals(self.incarnation());
    }

    /** By ascending id. */
    public List<Server> servers() {
        return List.copyOf(servers.values());
    }

    /**
     * Reads on the loop once the mirror has reached {@code revision}, or after 2 s without it: the mirror may be cut
     * off, and an answer that is a little old beats none. Called from any thread.
     */
    public <T> CompletableFuture<T> read(long revision, Supplier<T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable complete = () -> {
            if (answer.isDone()) {
                return;
            }
            try {
                answer.complete(read.get());
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        };
        loop.execute(() -> {
            if (mirror.revision() >= revision) {
                complete.run();
                return;
            }
            waiting.computeIfAbsent(revision, key -> new ArrayList<>()).add(complete);
            EventLoop.Timer limit = loop.schedule(CATCH_UP_LIMIT, complete);
            var unused = answer.thenRun(limit::cancel);
        });
        return answer;
    }

    private final class Moves implements MirrorListener<Fact> {
        @Override
        public void moved(long revision, List<Difference<Fact>> differences) {
            move(revision, differences, listener -> listener.moved(differences));
        }

        @Override
        public void listed(long revision, List<Difference<Fact>> differences) {
            move(revision, differences, listener -> listener.listed(differences));
        }

        @Override
        public void passedOver() {
            listeners.forEach(Listener::passedOver);
        }

        @Override
        public void troubled(Throwable cause) {
            listeners.forEach(listener -> listener.troubled(cause));
        }
    }

    private void move(long revision, List<Difference<Fact>> differences, Consumer<Listener> told) {
        for (Difference<Fact> difference : differences) {
            Keys.Name name = difference.latest().name();
            tell(name, difference.after());
        }
        state.advance(revision);
        listeners.forEach(told);
        NavigableMap<Long, List<Runnable>> reached = waiting.headMap(revision, true);
        List<Runnable> reads = reached.values().stream().flatMap(List::stream).toList();
        reached.clear();
        reads.forEach(Runnable::run);
    }

    private void tell(Keys.Name name, Optional<Entry<Fact>> entry) {
        if (name instanceof Keys.Name.OfServer server) {
            known(Server.class, entry)
                    .flatMap(Known::value)
                    .ifPresentOrElse(
                            value -> servers.put(server.serverId(), value), () -> servers.remove(server.serverId()));
        } else if (name instanceof Keys.Name.Leader) {
            leader = known(Server.class, entry).flatMap(ClusterMirror::leaderOf);
            leaderRevision = entry.map(Entry::modRevision).orElse(0L);
        } else {
            tell(state, name, entry);
        }
    }

    /** Tells {@code state} what a key holds now, or that it is gone; keys of servers don't concern it. */
    static void tell(ClusterState state, Keys.Name name, Optional<Entry<Fact>> entry) {
        if (name instanceof Keys.Name.OfJob job) {
            state.job(job.jobId(), known(Job.class, entry));
        } else if (name instanceof Keys.Name.OfState of) {
            state.state(of.jobId(), known(RunState.class, entry));
        } else if (name instanceof Keys.Name.OfWorker worker) {
            state.worker(worker.workerId(), known(Worker.class, entry));
        } else if (name instanceof Keys.Name.OfAssignment of) {
            state.assignment(of.workerId(), of.jobId(), known(Assignment.class, entry));
        } else if (name instanceof Keys.Name.OfKiller of) {
            state.killer(of.workerId(), of.jobId(), known(KillOrder.class, entry));
        } else if (name instanceof Keys.Name.OfCordon of) {
            state.cordon(of.workerId(), known(Cordon.class, entry));
        }
    }

    private static Optional<Leader> leaderOf(Known<Server> known) {
        return known.value()
                .filter(server -> known.lease() != 0)
                .map(server -> new Leader(server, known.modRevision(), known.lease()));
    }

    private static <T> Optional<Known<T>> known(Class<T> type, Optional<Entry<Fact>> entry) {
        return entry.map(found -> new Known<>(
                found.value().value().map(type::cast), found.createRevision(), found.modRevision(), found.lease()));
    }
}
