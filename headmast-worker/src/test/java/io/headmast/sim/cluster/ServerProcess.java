// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Server;
import io.headmast.core.manager.JobManager;
import io.headmast.core.manager.StoreJobManager;
import io.headmast.core.manager.StoreWorkerManager;
import io.headmast.core.manager.WorkerManager;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import io.headmast.core.schedule.JobScheduler;
import io.headmast.core.store.KeyValueStore;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** One life of a server: mirror, scheduler and managers as in production. */
public final class ServerProcess extends ClusterProcess {
    private final Server self;
    private final ClusterMirror mirror;
    private final JobScheduler scheduler;
    private final JobManager jobs;
    private final WorkerManager workers;
    private final NavigableMap<String, Entry<Fact>> told = new TreeMap<>();
    private final Set<Asked> asked = new LinkedHashSet<>();

    ServerProcess(World world, String id, int life) {
        super(world, id);
        self = new Server(id, id + "-" + life, "http://" + id, loop().wallTime());
        KeyValueStore store = world.flaw().store(this, new Link(world, this));
        MirrorOptions options = world.flaw().mirror(world.mirrorOptions());
        mirror = new ClusterMirror(store, world.flaw().loop(this, loop()), world.keys(), options);
        jobs = new StoreJobManager(store, mirror);
        workers = new StoreWorkerManager(store, mirror);
        scheduler = new JobScheduler(store, mirror, world.scheduling(), self, World.TTL);
        mirror.addListener(differences -> differences.forEach(this::tell));
    }

    void start() {
        loop().execute(() -> {
            scheduler.start();
            mirror.start();
        });
    }

    private void tell(Difference<Fact> difference) {
        difference
                .after()
                .ifPresentOrElse(entry -> told.put(difference.key(), entry), () -> told.remove(difference.key()));
    }

    @Override
    public void crash() {
        super.crash();
        // Whoever waits for an answer gets none.
        List<Asked> waiting = List.copyOf(asked);
        asked.clear();
        waiting.forEach(world().client()::unanswered);
    }

    void answersTo(Asked order) {
        asked.add(order);
    }

    void answered(Asked order) {
        asked.remove(order);
    }

    /** Who it says it is. */
    public Server self() {
        return self;
    }

    public JobManager jobs() {
        return jobs;
    }

    public WorkerManager workers() {
        return workers;
    }

    @Override
    public long knows() {
        return mirror.revision();
    }

    /** What its mirror has told, by ascending key. */
    public NavigableMap<String, Entry<Fact>> told() {
        return Collections.unmodifiableNavigableMap(told);
    }

    /** What it plans on. */
    public ClusterState state() {
        return mirror.state();
    }

    /** Ends in order: leadership is handed over at once. */
    public void close() {
        world().note(id(), "closes");
        CompletableFuture<CompletableFuture<Void>> closed = new CompletableFuture<>();
        loop().execute(() -> closed.complete(scheduler.close()));
        var unused = closed.thenCompose(done -> done).whenComplete((done, failure) -> crash());
    }
}
