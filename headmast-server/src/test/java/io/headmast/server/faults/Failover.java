// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.Await;
import io.headmast.server.faults.kind.Members;
import io.headmast.server.faults.kind.Stage;
import io.headmast.server.process.Journals;
import io.headmast.server.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures how long a cluster takes to get over a kill -9, beyond the lapse of the lease that nothing can shorten. The
 * lapse is when the recorder saw the key go; that a job runs is when the job itself wrote it down.
 */
public final class Failover implements AutoCloseable {
    private static final String HELP = """
            usage: faults failover [--kills N] [--keep DIR]

            Kills a worker with kill -9, N times, and then the leading server, N times; with two servers, three
            workers, 60 jobs and a TTL of 5 s. Prints how long it took from the lapse of the lease until all jobs of
            the dead worker ran elsewhere, and until a job that was submitted after the leader's death ran.

              --kills N   how many of each (30)
              --keep DIR  where journals and logs stay (a temporary directory)""";
    private static final int JOBS = 60;

    private final Members etcd = Topology.SINGLE.start();
    private final StoreRecorder recorder =
            new StoreRecorder(new JetcdStore(JetcdOptions.of(List.of(etcd.endpoints()))));
    private final ProcessCluster cluster;
    private final Keys keys;
    private final HeadmastClient client;

    /** What was measured of one thing: until the lapse since the kill, and beyond the lapse. */
    private record Measured(Distribution lapse, Distribution beyond) {
        static Measured nothing() {
            return new Measured(new Distribution(), new Distribution());
        }

        void add(long killed, long lapsed, long recovered) {
            lapse.add(Duration.ofNanos(lapsed - killed));
            beyond.add(Duration.ofNanos(recovered - lapsed));
        }
    }

    private Failover(Path directory) {
        cluster = new ProcessCluster(directory, etcd.endpoints());
        keys = new Keys(cluster.prefix());
        Stage.SERVERS.forEach(cluster::server);
        Stage.WORKERS.forEach(cluster::worker);
        client = cluster.client(Stage.SERVERS.toArray(String[]::new));
        awaitWorkers();
        for (int i = 0; i < JOBS; i++) {
            client.createNewJob(Job.builder().id("job-" + i).build());
        }
        cluster.awaitRunning(JOBS);
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals("--help")) {
            System.out.println(HELP);
            return;
        }
        Map<String, String> options = Arguments.parse(args, List.of("--kills", "--keep"), HELP);
        int kills = Integer.parseInt(options.getOrDefault("--kills", "30"));
        Path directory = options.containsKey("--keep")
                ? Files.createDirectories(Path.of(options.get("--keep")))
                : Files.createTempDirectory("headmast-failover-");
        try (Failover failover = new Failover(directory)) {
            print("worker", "all its jobs ran elsewhere", failover.killWorkers(kills));
            print("leader", "a new job ran", failover.killLeaders(kills));
        }
        // Threads of clients may linger.
        System.exit(0);
    }

    private static void print(String who, String until, Measured measured) {
        System.out.println("kill -9 of the " + who + ", until its lease lapsed: " + measured.lapse());
        System.out.println("kill -9 of the " + who + ", beyond that until " + until + ": " + measured.beyond());
    }

    private Measured killWorkers(int kills) {
        Measured measured = Measured.nothing();
        for (int i = 0; i < kills; i++) {
            String worker = Stage.WORKERS.get(i % Stage.WORKERS.size());
            Await.until("it has its share", ProcessCluster.LIMIT, cluster::logs, () -> hasItsShare(worker));
            Set<String> lost = jobsOf(worker);
            long killed = System.nanoTime();
            cluster.killWorker(worker);
            Await.until(
                    "its jobs run elsewhere",
                    ProcessCluster.LIMIT,
                    cluster::logs,
                    () -> cluster.journals.running().keySet().containsAll(lost));
            long recovered = cluster.journals.running().values().stream()
                    .filter(run -> lost.contains(run.job()))
                    .mapToLong(Journals.Run::from)
                    .max()
                    .orElseThrow();
            measured.add(killed, awaitGone(keys.worker(worker), killed), recovered);
            cluster.worker(worker);
            awaitWorkers();
        }
        return measured;
    }

    private Measured killLeaders(int kills) {
        Measured measured = Measured.nothing();
        for (int i = 0; i < kills; i++) {
            String leader = client.cluster().leader().orElseThrow().id();
            String job = "after-" + i;
            long killed = System.nanoTime();
            cluster.child(leader).kill9();
            client.createNewJob(Job.builder().id(job).build());
            Await.until(
                    "a new job runs",
                    ProcessCluster.LIMIT,
                    cluster::logs,
                    () -> cluster.journals.running().containsKey(job));
            long recovered = cluster.journals.running().get(job).from();
            measured.add(killed, awaitGone(keys.leader(), killed), recovered);
            client.deleteJob(job);
            cluster.server(leader);
            cluster.client(leader);
        }
        return measured;
    }

    private void awaitWorkers() {
        Await.until(
                "all workers are there",
                ProcessCluster.LIMIT,
                cluster::logs,
                () -> client.listWorkers().size() == Stage.WORKERS.size());
    }

    private boolean hasItsShare(String worker) {
        return cluster.journals.running().size() == JOBS && jobsOf(worker).size() >= JOBS / Stage.WORKERS.size() - 1;
    }

    private Set<String> jobsOf(String worker) {
        return cluster.journals.running().values().stream()
                .filter(run -> run.worker().equals(worker))
                .map(Journals.Run::job)
                .collect(Collectors.toSet());
    }

    /** When the recorder saw a key go after that. */
    private long awaitGone(String key, long after) {
        Await.until(
                "the recorder saw it",
                ProcessCluster.LIMIT,
                () -> gone(key, after).isPresent());
        return gone(key, after).orElseThrow();
    }

    private OptionalLong gone(String key, long after) {
        return recorder.history().stream()
                .filter(seen -> seen.at() > after
                        && seen.revision().changes().stream()
                                .anyMatch(change -> change instanceof WatchEvent.Delete
                                        && change.key().equals(key)))
                .mapToLong(StoreRecorder.Seen::at)
                .findFirst();
    }

    @Override
    public void close() {
        cluster.close();
        recorder.close();
        etcd.close();
    }
}
