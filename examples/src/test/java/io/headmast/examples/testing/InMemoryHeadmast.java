// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.testing;

import io.headmast.api.Job;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import io.headmast.server.ServingOptions;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobHandler;
import io.headmast.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A headmast for tests: a store in memory, a server on it, a client of that, and whatever workers are added. */
public final class InMemoryHeadmast implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ThreadLoop loop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(loop);
    private final HeadmastService server =
            HeadmastService.on(ServingOptions.builder().port(0).build(), store);
    private final List<HeadmastWorker> workers = new ArrayList<>();
    private final HeadmastClient client;

    public InMemoryHeadmast() {
        server.start();
        client = HeadmastClient.create(ClientOptions.of(server.address().toString()));
        Await.until("a server leads", LIMIT, () -> client.cluster().leader().isPresent());
    }

    public HeadmastClient client() {
        return client;
    }

    /** A worker with one handler, registered. */
    public HeadmastWorker worker(String id, String domain, JobHandler handler) {
        HeadmastWorker worker = builder(id).handler(domain, handler).start();
        workers.add(worker);
        return worker;
    }

    /** For a worker that its test closes. */
    public HeadmastWorker.Builder builder(String id) {
        return HeadmastWorker.builder(WorkerContext.builder().workerId(id).build())
                .store(store);
    }

    /** Creates a job and waits until it runs. */
    public JobView running(Job job) {
        client.createNewJob(job);
        return await(job.id(), Phase.RUNNING);
    }

    /** Waits until a job is that far. */
    public JobView await(String jobId, Phase phase) {
        return await(jobId, state -> state.phase() == phase);
    }

    /** Waits until what is observed of a job is like that. */
    public JobView await(String jobId, Predicate<RunState> like) {
        AtomicReference<JobView> seen = new AtomicReference<>();
        Await.until("the state of " + jobId, LIMIT, seen::get, () -> {
            seen.set(client.getJob(jobId).orElseThrow());
            return like.test(seen.get().state());
        });
        return seen.get();
    }

    /** Takes a worker's lease away, as etcd does when a frozen process doesn't renew it. */
    public void lapse(String workerId) {
        long lease = Await.value(store.range(RangeRequest.key(Keys.DEFAULT.worker(workerId))), LIMIT)
                .first()
                .orElseThrow()
                .lease();
        Await.value(store.revokeLease(lease), LIMIT);
    }

    @Override
    public void close() {
        workers.forEach(HeadmastWorker::close);
        client.close();
        server.close();
        store.close();
        loop.close();
    }
}
