// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.Names;
import io.headmast.api.Server;
import io.headmast.api.json.Json;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.manager.MirrorClusterReader;
import io.headmast.core.manager.StoreJobFeed;
import io.headmast.core.manager.StoreJobManager;
import io.headmast.core.manager.StoreWorkerManager;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.policy.Scheduling;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.JobScheduler;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a server's core: one loop that owns mirror, leadership and scheduler, and the managers beside it. */
final class StoreCore {
    private static final Logger LOG = LoggerFactory.getLogger(StoreCore.class);
    private static final Duration HAND_OVER_LIMIT = Duration.ofSeconds(3);

    /** How long a server that starts waits for etcd, which may be starting, too. */
    private static final Duration START_LIMIT = Duration.ofSeconds(10);

    private static final Duration START_PAUSE = Duration.ofMillis(250);

    private StoreCore() {}

    /** A core on the etcd that the options name; see {@link Core.Factory#open}. */
    static Core onEtcd(ServingOptions options, URI address) {
        JetcdStore store = new JetcdStore(JetcdOptions.of(
                options.etcdEndpoints().stream().map(URI::toString).toList()));
        try {
            requireReachable(store);
            return on(store, options, address).closing(store::close);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** A core on a store, which is not closed with it. */
    static Core on(KeyValueStore store, ServingOptions options, URI address) {
        PolicyCatalog policies = PolicyCatalog.onClassPath();
        policies.warnings().forEach(warning -> LOG.warn("policy can't be used problem={}", Json.quote(warning)));
        SchedulePolicy policy = policies.named(options.schedulePolicy());
        ThreadLoop loop = new ThreadLoop("headmast-scheduler-" + options.serverId());
        ClusterMirror mirror =
                new ClusterMirror(store, loop, new Keys(options.prefix()), MirrorOptions.standard(new Random()));
        StoreJobManager jobs = new StoreJobManager(store, mirror);
        ThreadLoop feedLoop = new ThreadLoop("headmast-feed-" + options.serverId());
        StoreJobFeed feed = new StoreJobFeed(store, mirror, feedLoop);
        StoreWorkerManager workers = new StoreWorkerManager(store, mirror);
        Server self = new Server(options.serverId(), Names.random(), address.toString(), Instant.now());
        Scheduling scheduling = new Scheduling(policy, options.rebalanceRate());
        JobScheduler scheduler = new JobScheduler(store, mirror, scheduling, self, options.leaseTtl());
        loop.execute(() -> {
            scheduler.start();
            mirror.start();
        });
        return new Core(jobs, workers, new MirrorClusterReader(mirror, options.schedulePolicy()), feed, () -> {
            feed.close();
            handOver(loop, scheduler);
            jobs.close();
            workers.close();
            loop.execute(mirror::close);
            loop.close();
            feedLoop.close();
        });
    }

    /** Gives leadership up, so that another server leads at once instead of after this one's lease. */
    private static void handOver(ThreadLoop loop, JobScheduler scheduler) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> loop.when(scheduler.close(), done::complete, done::completeExceptionally));
        try {
            done.get(HAND_OVER_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("could not give the lease up; it lapses by itself cause={}", e.toString());
        }
    }

    /** A wrong endpoint should show when the server starts, not at the first request; a slow start should not. */
    private static void requireReachable(JetcdStore store) {
        long until = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                store.ping().join();
                return;
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof HeadmastException.Unavailable unavailable)) {
                    throw e.getCause() instanceof RuntimeException cause ? cause : e;
                }
                if (System.nanoTime() - until > 0) {
                    throw new HeadmastException.Unavailable(
                            unavailable.detail() + "; start it there, or name its addresses (--etcd-endpoints)");
                }
                LockSupport.parkNanos(START_PAUSE.toNanos());
            }
        }
    }
}
