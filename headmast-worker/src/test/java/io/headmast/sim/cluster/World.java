// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Keys;
import io.headmast.api.Machine;
import io.headmast.api.Worker;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.policy.BalancePolicy;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time with one source of randomness: a store, servers, workers and a client. Whatever happens, the
 * same seed gives the same. Belongs to one thread, and starts none.
 */
public final class World {
    public static final Duration TTL = Duration.ofSeconds(5);
    public static final Duration STOP_MARGIN = TTL.dividedBy(5);

    private static final Duration RESYNC_EVERY = Duration.ofSeconds(20);
    private static final List<Set<String>> DOMAINS = List.of(Set.of(), Set.of("a"), Set.of("b"));
    private static final double FASTEST = 0.0099;

    private final VirtualLoop time = new VirtualLoop();
    private final MvccStore store = new MvccStore(time);
    private final Truth truth = new Truth(store, Keys.DEFAULT, this::committed);
    private final Runs runs = new Runs(this);
    private final Client client = new Client(this);
    private final Tally tally = new Tally();
    private final RandomGenerator random;
    private final Flaw flaw;
    private final Scheduling scheduling;
    private final @Nullable List<String> trace;
    private final List<WorldListener> listeners = new ArrayList<>();
    private final NavigableMap<String, ServerProcess> servers = new TreeMap<>();
    private final NavigableMap<String, WorkerProcess> workers = new TreeMap<>();
    private final NavigableMap<String, Worker> workerForms = new TreeMap<>();
    private final Map<String, WorkerProcess> workerLives = new HashMap<>();
    private int lives;
    private int lateRequests;
    private long leasesProlongedAt = Long.MIN_VALUE;
    private long happenings;
    private boolean calm;
    private @Nullable String violation;

    /** @param traced whether what happens is written down, which takes time */
    public World(long seed, Flaw flaw, boolean traced) {
        this.random = new Random(seed);
        this.flaw = flaw;
        this.trace = traced ? new ArrayList<>() : null;
        this.scheduling =
                random.nextBoolean() ? new Scheduling(new BalancePolicy(), 5) : Scheduling.of(new RoundbinPolicy());
        listeners.add(new Effects(tally));
    }

    public VirtualLoop time() {
        return time;
    }

    public RandomGenerator random() {
        return random;
    }

    /** The store itself, which never fails. */
    public MvccStore store() {
        return store;
    }

    public Truth truth() {
        return truth;
    }

    public Keys keys() {
        return Keys.DEFAULT;
    }

    public Runs runs() {
        return runs;
    }

    public Client client() {
        return client;
    }

    public Tally tally() {
        return tally;
    }

    Flaw flaw() {
        return flaw;
    }

    Scheduling scheduling() {
        return scheduling;
    }

    MirrorOptions mirrorOptions() {
        return new MirrorOptions(RESYNC_EVERY, MirrorOptions.SILENCE_LIMIT, random);
    }

    /** The latest life of each server, by ascending id. */
    public List<ServerProcess> servers() {
        return List.copyOf(servers.values());
    }

    /** The latest life of each worker, by ascending id. */
    public List<WorkerProcess> workers() {
        return List.copyOf(workers.values());
    }

    /** Servers first. */
    public List<ClusterProcess> processes() {
        List<ClusterProcess> all = new ArrayList<>(servers.values());
        all.addAll(workers.values());
        return all;
    }

    /** Whether the leader key is this process's. */
    public boolean leads(ClusterProcess process) {
        return process instanceof ServerProcess server
                && truth.item(keys().leader())
                        .filter(key -> Truth.server(key).equals(server.self()))
                        .isPresent();
    }

    public <T> T any(List<? extends T> of) {
        return of.get(random.nextInt(of.size()));
    }

    public Duration between(Duration least, Duration most) {
        return least.plusNanos(random.nextLong(most.minus(least).toNanos() + 1));
    }

    /** Starts a server's next life. */
    public ServerProcess startServer(String id) {
        ServerProcess server = new ServerProcess(this, id, ++lives);
        servers.put(id, server);
        begin(server);
        server.start();
        return server;
    }

    /** Starts a worker's next life; what it serves stays the same. */
    public WorkerProcess startWorker(String id) {
        Worker form = workerForms.computeIfAbsent(id, this::form);
        lives++;
        Worker self = new Worker(
                id,
                id + "-" + lives,
                form.home(),
                form.machine(),
                form.domains(),
                form.capacity(),
                form.load(),
                false,
                time.wallTime(),
                List.of(),
                List.of());
        WorkerProcess worker = new WorkerProcess(this, self);
        workers.put(id, worker);
        workerLives.put(self.incarnation(), worker);
        begin(worker);
        worker.start();
        return worker;
    }

    private void begin(ClusterProcess process) {
        note(process.id(), "starts");
        process.drift(1 + (2 * random.nextDouble() - 1) * FASTEST);
    }

    private Worker form(String id) {
        return new Worker(
                id,
                "",
                random.nextInt(3) == 0 ? "" : "home-of-" + id,
                new Machine("m-" + id, "host", "", Map.of(), "1", 2, 0),
                random.nextInt(3) == 0 ? any(DOMAINS) : Set.of(),
                random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(2 + random.nextInt(4)),
                OptionalDouble.empty(),
                false,
                Instant.EPOCH,
                List.of(),
                List.of());
    }

    /** The worker's life that registered with this incarnation. */
    public Optional<WorkerProcess> life(String incarnation) {
        return Optional.ofNullable(workerLives.get(incarnation));
    }

    /** The store lets every lease begin anew, as etcd does when its leader changes. */
    public void prolongLeases() {
        leasesProlongedAt = time.nanoTime();
        truth.now().values().stream()
                .map(KeyValue::lease)
                .filter(lease -> lease != 0)
                .distinct()
                .forEach(lease -> {
                    var unused = store.keepAlive(lease);
                });
    }

    /** When it last did that. */
    public long leasesProlongedAt() {
        return leasesProlongedAt;
    }

    void lateRequests(int more) {
        lateRequests += more;
    }

    /** Whether something that was sent has yet to come to the store, though its sender gave up. */
    public boolean hasLateRequests() {
        return lateRequests > 0;
    }

    /** Does something later, whatever becomes of the processes. */
    public void later(Duration pause, Runnable task) {
        var unused = time.schedule(pause, task);
    }

    /** From now on nothing fails any more, and all work goes on until it is told to stop. */
    public void calmDown() {
        calm = true;
    }

    public boolean isCalm() {
        return calm;
    }

    public void addListener(WorldListener listener) {
        listeners.add(listener);
    }

    void happened(Consumer<WorldListener> told) {
        happenings++;
        listeners.forEach(told);
    }

    /** Counts what was told to listeners. */
    public long happenings() {
        return happenings;
    }

    private void committed(Commit commit) {
        if (trace != null) {
            for (Commit.Change change : commit.changes()) {
                note(
                        "store",
                        commit.revision(),
                        " ",
                        change.key().substring(keys().all().length()),
                        change.isDeletion() ? " is gone" : " = " + shown(change),
                        commit.sent().map(sent -> ", by " + sent.process()).orElse(""));
            }
        }
        happened(listener -> listener.committed(commit));
    }

    private static String shown(Commit.Change change) {
        return change.after()
                .map(item -> new String(item.value().toByteArray(), java.nio.charset.StandardCharsets.UTF_8))
                .orElse("");
    }

    /** Writes down what happens, if anybody wants to know. */
    public void note(String who, Object... what) {
        if (trace != null) {
            StringBuilder line =
                    new StringBuilder(String.format(java.util.Locale.ROOT, "%9.3f %-7s ", time.nanoTime() / 1e9, who));
            for (Object part : what) {
                line.append(part);
            }
            trace.add(line.toString());
        }
    }

    /** What happened, in order; empty unless it was to be traced. */
    public List<String> trace() {
        return trace == null ? List.of() : List.copyOf(trace);
    }

    /** Something must not be as it is. The first such finding counts. */
    public void violated(String invariant, String problem) {
        if (violation == null) {
            violation =
                    String.format(java.util.Locale.ROOT, "%s at %.3f s: %s", invariant, time.nanoTime() / 1e9, problem);
            note("VIOLATION", violation);
        }
    }

    public Optional<String> violation() {
        return Optional.ofNullable(violation);
    }
}
