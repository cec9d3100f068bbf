// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.api.JobView;
import io.headmast.api.Names;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyValueStore;
import io.headmast.server.CoreOnStore;
import io.headmast.server.HeadmastService;
import io.headmast.server.ServingOptions;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Servers, workers and a client in this process, on any store; what each worker runs is on the {@link Stage}. */
final class InProcessCluster implements AutoCloseable {
    static final Duration TTL = Duration.ofSeconds(5);

    final String prefix = "/test/" + Names.random();
    final Stage stage = new Stage();
    private final Supplier<KeyValueStore> stores;
    private final List<HeadmastService> servers = new ArrayList<>();
    private final List<HeadmastWorker> workers = new ArrayList<>();
    private final List<HeadmastClient> clients = new ArrayList<>();

    /** @param stores a store for each server and worker; each closes its own */
    InProcessCluster(Supplier<KeyValueStore> stores) {
        this.stores = stores;
    }

    HeadmastService server(String id, String policy) {
        return server(id, policy, stores.get());
    }

    /** @param store is closed with it */
    HeadmastService server(String id, String policy, KeyValueStore store) {
        ServingOptions options = ServingOptions.builder()
                .port(0)
                .serverId(id)
                .schedulePolicy(policy)
                .leaseTtl(TTL)
                .prefix(prefix)
                .build();
        HeadmastService service = CoreOnStore.service(options, store);
        service.start();
        servers.add(service);
        return service;
    }

    HeadmastClient client(HeadmastService... among) {
        List<URI> addresses = new ArrayList<>();
        for (HeadmastService service : among) {
            addresses.add(service.address());
        }
        HeadmastClient client =
                HeadmastClient.create(ClientOptions.builder().servers(addresses).build());
        clients.add(client);
        return client;
    }

    HeadmastWorker worker(String id) {
        return workerWith(id, context -> context);
    }

    HeadmastWorker workerWith(String id, UnaryOperator<WorkerContext.Builder> settings) {
        WorkerContext context = settings.apply(
                        WorkerContext.builder().workerId(id).leaseTtl(TTL).prefix(prefix))
                .build();
        return start(HeadmastWorker.builder(context).handler(stage.handler(id)));
    }

    /** A worker with handlers of the test's own. */
    HeadmastWorker worker(String id, Consumer<HeadmastWorker.Builder> handlers) {
        HeadmastWorker.Builder builder = HeadmastWorker.builder(WorkerContext.builder()
                .workerId(id)
                .leaseTtl(TTL)
                .prefix(prefix)
                .build());
        handlers.accept(builder);
        return start(builder);
    }

    private HeadmastWorker start(HeadmastWorker.Builder builder) {
        HeadmastWorker worker = builder.store(stores.get()).start();
        workers.add(worker);
        return worker;
    }

    /** Where each job runs according to the servers: only what is observed as running counts. */
    static Map<String, String> running(Iterable<JobView> jobs) {
        Map<String, String> running = new TreeMap<>();
        for (JobView view : jobs) {
            if (view.state().phase() == Phase.RUNNING) {
                running.put(view.job().id(), view.state().worker().orElseThrow());
            }
        }
        return running;
    }

    @Override
    public void close() {
        clients.forEach(HeadmastClient::close);
        workers.forEach(HeadmastWorker::close);
        servers.forEach(HeadmastService::close);
    }
}
