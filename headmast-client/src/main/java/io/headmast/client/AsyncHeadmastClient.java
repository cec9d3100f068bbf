// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.BulkAction;
import io.headmast.api.ClusterView;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobPage;
import io.headmast.api.JobPath;
import io.headmast.api.JobQuery;
import io.headmast.api.JobSelector;
import io.headmast.api.JobView;
import io.headmast.api.Named;
import io.headmast.api.WorkerView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The calls of {@link HeadmastClient}, which tells what each one means, without waiting for them. Thread-safe.
 *
 * <p>No method throws: every failure is the future's, of the {@link HeadmastException} family, malformed ids included.
 * Futures complete on the common pool, so what hangs on them may block. Cancelling one gives the call up; a change that
 * was sent by then may be carried out all the same.
 */
public final class AsyncHeadmastClient {
    private final Transport transport;

    AsyncHeadmastClient(Transport transport) {
        this.transport = transport;
    }

    public CompletableFuture<JobView> createNewJob(Job job) {
        return send(() -> JobCalls.create(job));
    }

    public CompletableFuture<List<JobOutcome>> createNewJobs(List<Job> jobs) {
        return sent(() -> ManyCreations.send(transport, jobs));
    }

    public CompletableFuture<List<JobOutcome>> controlJobs(JobSelector selector, JobAction action) {
        return sent(() -> ManyOrders.send(transport, JobOrder.of(BulkAction.of(action), selector)));
    }

    public CompletableFuture<List<JobOutcome>> deleteJobs(JobSelector selector) {
        return sent(() -> ManyOrders.send(transport, JobOrder.of(BulkAction.DELETE, selector)));
    }

    public CompletableFuture<Optional<JobView>> getJob(String id) {
        return send(() -> JobCalls.get(id));
    }

    /** All jobs, in memory; {@link #getJobPage} is for many. */
    public CompletableFuture<List<JobView>> getJobs() {
        return getJobs(JobQuery.ALL);
    }

    /** All jobs that the query matches, in memory; {@link #getJobPage} is for many. */
    public CompletableFuture<List<JobView>> getJobs(JobQuery query) {
        return collect(query, new ArrayList<>());
    }

    public CompletableFuture<List<JobView>> getJobsWithDomain(String domain) {
        return getPrepared(() -> JobQuery.ALL.withDomain(domain));
    }

    public CompletableFuture<JobPage> getJobPage(JobQuery query) {
        return send(() -> JobCalls.page(query));
    }

    public CompletableFuture<JobView> controlJob(String id, JobAction action) {
        return send(() -> JobCalls.control(id, action, OptionalLong.empty()));
    }

    public CompletableFuture<JobView> controlJob(String id, String action) {
        return send(() -> JobCalls.control(id, Named.parse(JobAction.class, "action", action), OptionalLong.empty()));
    }

    public CompletableFuture<JobView> controlJob(String id, JobAction action, long revision) {
        return send(() -> JobCalls.control(id, action, OptionalLong.of(revision)));
    }

    public CompletableFuture<JobView> updateJob(Job job, long revision) {
        return send(() -> JobCalls.update(job, revision));
    }

    public CompletableFuture<Deletion> deleteJob(String id) {
        return send(() -> JobCalls.delete(id));
    }

    public CompletableFuture<JobWatch> watchJobPath(String path, WatchPathHandler handler) {
        return sent(() -> transport.watch(JobPath.parse(path), WatchOptions.DEFAULT, handler));
    }

    public CompletableFuture<JobWatch> watchJobPath(JobPath path, WatchOptions options, WatchPathHandler handler) {
        return sent(() -> transport.watch(path, options, handler));
    }

    public CompletableFuture<List<WorkerView>> listWorkers() {
        return send(WorkerCalls::list);
    }

    public CompletableFuture<Optional<WorkerView>> getWorker(String id) {
        return send(() -> WorkerCalls.get(id));
    }

    public CompletableFuture<WorkerView> cordonWorker(String id, String reason) {
        return cordonWorker(id, reason, "");
    }

    public CompletableFuture<WorkerView> cordonWorker(String id, String reason, String by) {
        return send(() -> WorkerCalls.mark(id, "cordon", reason, by));
    }

    public CompletableFuture<WorkerView> drainWorker(String id, String reason) {
        return drainWorker(id, reason, "");
    }

    public CompletableFuture<WorkerView> drainWorker(String id, String reason, String by) {
        return send(() -> WorkerCalls.mark(id, "drain", reason, by));
    }

    public CompletableFuture<WorkerView> uncordonWorker(String id) {
        return send(() -> WorkerCalls.mark(id, "uncordon", "", ""));
    }

    public CompletableFuture<Boolean> removeWorker(String id) {
        return send(() -> WorkerCalls.remove(id));
    }

    public CompletableFuture<ClusterView> cluster() {
        return send(JobCalls::cluster);
    }

    private CompletableFuture<List<JobView>> getPrepared(Supplier<JobQuery> query) {
        try {
            return getJobs(query.get());
        } catch (HeadmastException.Invalid e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<List<JobView>> collect(JobQuery query, List<JobView> before) {
        return getJobPage(query).thenCompose(page -> {
            before.addAll(page.items());
            return JobList.after(query, page)
                    .map(rest -> collect(rest, before))
                    .orElseGet(() -> CompletableFuture.completedFuture(List.copyOf(before)));
        });
    }

    private <T> CompletableFuture<T> send(Supplier<Call<T>> call) {
        return sent(() -> transport.send(call.get()));
    }

    /** Hands the result over to the common pool: the wire's few threads must not wait for what a caller does then. */
    private static <T> CompletableFuture<T> sent(Supplier<CompletableFuture<T>> calls) {
        CompletableFuture<T> sent;
        try {
            sent = calls.get();
        } catch (HeadmastException.Invalid e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> shown = new CompletableFuture<>();
        Continuations.onSettled(sent, shown.defaultExecutor(), Continuations.into(shown));
        Continuations.onSettled(shown, (value, failure) -> {
            if (shown.isCancelled()) {
                sent.cancel(true);
            }
        });
        return shown;
    }
}
