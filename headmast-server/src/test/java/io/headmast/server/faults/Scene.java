// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.Keys;
import io.headmast.api.Server;
import io.headmast.api.json.Json;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import io.headmast.server.faults.kind.Members;
import io.headmast.server.faults.kind.Stage;
import io.headmast.server.faults.kind.StepClock;
import io.headmast.server.process.ProcessCluster;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A cluster for one run, from its etcd to its last process, with a recorder that was there from the first revision. */
final class Scene implements AutoCloseable {
    /** Several processes start at once, on a machine that may have much else to do. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    final Members etcd;
    final KeyValueStore store;
    final StoreRecorder recorder;
    final ProcessCluster cluster;
    final Stage stage;
    private final Map<String, List<CuttingProxy>> proxies = new TreeMap<>();

    /**
     * @param etcd fresh, and closed with the scene
     * @param workers main classes of workers that aren't as they should be
     */
    Scene(Path directory, Members etcd, Map<String, Class<?>> workers) {
        this.etcd = etcd;
        store = connect();
        recorder = new StoreRecorder(connect());
        cluster = new ProcessCluster(directory, etcd.endpoints());
        for (String process : Stage.BEHIND_PROXIES) {
            List<CuttingProxy> own = etcd.all().stream().map(CuttingProxy::to).toList();
            proxies.put(process, own);
            cluster.set(
                    process,
                    cluster.setting(process)
                            .withEndpoints(
                                    own.stream().map(CuttingProxy::endpoint).collect(Collectors.joining(","))));
        }
        Path clock = directory.resolve("clock");
        StepClock.shift(clock, 0);
        cluster.set(Stage.SHIFTED, cluster.setting(Stage.SHIFTED).withEnvironment(StepClock.environment(clock)));
        workers.forEach(
                (worker, main) -> cluster.set(worker, cluster.setting(worker).withWorker(main)));
        stage = new Stage(etcd, store, cluster, proxies, clock, new Stage.Sights(this::leader, recorder::await));
    }

    /** Starts all processes, and waits until they have found each other. */
    void start() {
        Stage.SERVERS.forEach(cluster::server);
        HeadmastClient client = cluster.client(Stage.SERVERS.toArray(String[]::new));
        Stage.WORKERS.forEach(cluster::worker);
        Await.until(
                "the workers are there",
                START_LIMIT,
                cluster::logs,
                () -> client.listWorkers().size() == Stage.WORKERS.size()
                        && client.cluster().leader().isPresent());
    }

    List<URI> servers() {
        return Stage.SERVERS.stream().map(cluster::address).toList();
    }

    Keys keys() {
        return new Keys(cluster.prefix());
    }

    /** The server that the leader key names, by what was recorded. */
    private Optional<String> leader() {
        Optional<String> leader = Optional.empty();
        for (StoreRecorder.Seen seen : recorder.history()) {
            for (WatchEvent change : seen.revision().changes()) {
                if (change.key().equals(keys().leader())) {
                    leader = change instanceof WatchEvent.Put put
                            ? Optional.of(Server.fromJson(Json.parseObject(
                                            put.current().value().toByteArray()))
                                    .id())
                            : Optional.empty();
                }
            }
        }
        return leader;
    }

    private KeyValueStore connect() {
        return new JetcdStore(JetcdOptions.of(List.of(etcd.endpoints().split(",", -1))));
    }

    @Override
    public void close() {
        cluster.close();
        proxies.values().forEach(own -> own.forEach(CuttingProxy::close));
        recorder.close();
        store.close();
        etcd.close();
    }
}
