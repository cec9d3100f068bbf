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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client of a headmast cluster; the seed's {@code Client}. Thread-safe: an application needs one.
 *
 * <p><b>Durability.</b> A change is durable when its method returns. When it throws {@link
 * HeadmastException.Indeterminate}, nobody knows; after any other exception of that family it was not carried out.
 *
 * <p><b>Trouble.</b> When no connection can be had, every call goes to the next server. A call that was sent is repeated
 * only where twice is no more than once: reads, creating (a job's id is chosen before it is sent), updating and ordering
 * with a revision, {@code kill}, {@code stop}, {@code load}, {@code unload}, deleting, and marking workers. {@code
 * restart}, {@code alive} and {@code start} without a revision are sent once. How often, see {@link Retries}.
 *
 * <p><b>Errors.</b> Every method throws the {@link HeadmastException} family: {@code Invalid} before anything is sent
 * when an id is malformed, {@code Unauthorized}, {@code Unavailable} when no server could be reached, and what the
 * method names. A thread that is interrupted while it waits keeps its interrupt and gets {@code Unavailable} from a read,
 * {@code Indeterminate} from a change.
 */
public final class HeadmastClient implements AutoCloseable {
    private final Transport transport;
    private final AsyncHeadmastClient async;

    private HeadmastClient(Transport transport) {
        this.transport = transport;
        this.async = new AsyncHeadmastClient(transport);
    }

    /** A client; it connects with its first call. */
    public static HeadmastClient create(ClientOptions options) {
        return create(options, Pauses.real(), Wire.MAX_ANSWER);
    }

    static HeadmastClient create(ClientOptions options, Pauses pauses, int maxAnswer) {
        return new HeadmastClient(new Transport(options, pauses, maxAnswer));
    }

    /** The same calls without waiting; it shares this client's connections and is closed with it. */
    public AsyncHeadmastClient async() {
        return async;
    }

    /**
     * Creates a job.
     *
     * @return the job as stored; when the identical job exists already, that one, so calling again does no harm
     * @throws HeadmastException.AlreadyExists if another job has that id
     * @throws HeadmastException.Conflict if a job of that id is being deleted
     * @throws HeadmastException.TooLarge if the payload exceeds the servers' limit
     */
    public JobView createNewJob(Job job) {
        return await(JobCalls.create(job));
    }

    /**
     * Creates many jobs, in as few requests as they fit into. Never fails as a whole: what fails a request is the outcome
     * of each of its jobs. Those without a certain outcome are sent again, as often as a single one would be.
     *
     * @return one outcome for each, in order: 201, 200 when the identical job existed already, or a problem. A job that a
     *     lost attempt created, and that somebody changed before the next one, may be reported as existing already
     */
    public List<JobOutcome> createNewJobs(List<Job> jobs) {
        return await(
                "the creation of " + jobs.size() + " jobs",
                () -> ManyCreations.send(transport, jobs),
                HeadmastException.Indeterminate::new);
    }

    /**
     * Gives one order to every job that is selected, in as many calls as it takes. {@code alive}, {@code start} and {@code
     * restart} are sent once, the others are repeated as they are for one job.
     *
     * @return an outcome for each job, by ascending id: 200, or a problem
     * @throws HeadmastException.Invalid if the selector is empty: {@link JobSelector#ALL} means every job
     * @throws HeadmastException if a call fails; it says how many jobs had their outcome before
     */
    public List<JobOutcome> controlJobs(JobSelector selector, JobAction action) {
        return order(JobOrder.of(BulkAction.of(action), selector));
    }

    /** The same with their deletion: 202 once it is ordered. */
    public List<JobOutcome> deleteJobs(JobSelector selector) {
        return order(JobOrder.of(BulkAction.DELETE, selector));
    }

    /** The job with what is observed of its run; empty when there is none. */
    public Optional<JobView> getJob(String id) {
        return await(JobCalls.get(id));
    }

    /** Every job, page by page as they are iterated over. */
    public JobList getJobs() {
        return getJobs(JobQuery.ALL);
    }

    /** The jobs that the query matches; its limit is the size of a page, not of the list. */
    public JobList getJobs(JobQuery query) {
        return new JobList(query, this::getJobPage);
    }

    /** The jobs of a domain. */
    public JobList getJobsWithDomain(String domain) {
        return getJobs(JobQuery.ALL.withDomain(domain));
    }

    /** One page of jobs; {@code query.from(next)} asks for the one after it. */
    public JobPage getJobPage(JobQuery query) {
        return await(JobCalls.page(query));
    }

    /**
     * Gives an order about a job.
     *
     * @return the job after the order
     * @throws HeadmastException.NotFound if there is no such job
     * @throws HeadmastException.Conflict if the job is being deleted
     */
    public JobView controlJob(String id, JobAction action) {
        return await(JobCalls.control(id, action, OptionalLong.empty()));
    }

    /**
     * The same with the action's name, as in the seed: {@code kill}, {@code alive}, {@code start}, {@code stop}, {@code
     * load}, {@code unload} or {@code restart}.
     *
     * @throws HeadmastException.Invalid if there is no such action
     */
    public JobView controlJob(String id, String action) {
        return controlJob(id, Named.parse(JobAction.class, "action", action));
    }

    /**
     * The same, if the job's record still has that revision. That makes every order safe to repeat.
     *
     * @throws HeadmastException.PreconditionFailed if the record was changed meanwhile
     */
    public JobView controlJob(String id, JobAction action, long revision) {
        return await(JobCalls.control(id, action, OptionalLong.of(revision)));
    }

    /**
     * Replaces a job's record.
     *
     * @param job the new record, best built from the one that was read, which keeps what this version doesn't know
     * @param revision the one the record was read at
     * @return the job as stored
     * @throws HeadmastException.PreconditionFailed if the record was changed meanwhile: read it, and decide again
     * @throws HeadmastException.NotFound if there is no such job
     */
    public JobView updateJob(Job job, long revision) {
        return await(JobCalls.update(job, revision));
    }

    /** Orders a job to be stopped and its record to be removed; that there is none is no failure. */
    public Deletion deleteJob(String id) {
        return await(JobCalls.delete(id));
    }

    /**
     * Watches a job, the jobs of a domain, or all, from now on: what is changed after this method has returned is told.
     *
     * @param path a job's id; {@code domain/} and a domain; or nothing for every job
     * @throws HeadmastException.Invalid if the path is malformed
     */
    public JobWatch watchJobPath(String path, WatchPathHandler handler) {
        return watchJobPath(JobPath.parse(path), WatchOptions.DEFAULT, handler);
    }

    /**
     * Watches jobs. Returns when a server has said where the watch stands; the handler may have been called by then.
     *
     * @throws HeadmastException.Gone if the store doesn't have everything after {@code options.after()} any more: read
     *     the list, and watch from its revision
     * @throws HeadmastException.Invalid if {@code options.after()} is no revision yet
     */
    public JobWatch watchJobPath(JobPath path, WatchOptions options, WatchPathHandler handler) {
        return await(
                "the watch of " + (path.text().isEmpty() ? "all jobs" : path.text()),
                () -> transport.watch(path, options, handler),
                HeadmastException.Unavailable::new);
    }

    /** The workers that live, and those that an operator has marked, by ascending id. */
    public List<WorkerView> listWorkers() {
        return await(WorkerCalls.list());
    }

    /** A worker; empty when there is none. */
    public Optional<WorkerView> getWorker(String id) {
        return await(WorkerCalls.get(id));
    }

    /** The same as {@link #cordonWorker(String, String, String)} by nobody in particular. */
    public WorkerView cordonWorker(String id, String reason) {
        return cordonWorker(id, reason, "");
    }

    /**
     * Keeps new jobs off a worker, over its restarts too, until it is uncordoned; what runs there stays.
     *
     * @param reason why, for people; may be empty
     * @param by who says so; may be empty
     * @throws HeadmastException.NotFound if there is no such worker
     */
    public WorkerView cordonWorker(String id, String reason, String by) {
        return await(WorkerCalls.mark(id, "cordon", reason, by));
    }

    /** The same as {@link #drainWorker(String, String, String)} by nobody in particular. */
    public WorkerView drainWorker(String id, String reason) {
        return drainWorker(id, reason, "");
    }

    /**
     * Keeps new jobs off a worker like {@link #cordonWorker(String, String, String)}, and moves away what runs there.
     *
     * @throws HeadmastException.NotFound if there is no such worker
     */
    public WorkerView drainWorker(String id, String reason, String by) {
        return await(WorkerCalls.mark(id, "drain", reason, by));
    }

    /**
     * Takes a worker's mark away.
     *
     * @throws HeadmastException.NotFound if there is no such worker
     */
    public WorkerView uncordonWorker(String id) {
        return await(WorkerCalls.mark(id, "uncordon", "", ""));
    }

    /**
     * Forgets a dead worker: its mark, and whatever else is left of it.
     *
     * @return whether there was something to forget
     * @throws HeadmastException.Conflict if the worker lives; drain it instead
     */
    public boolean removeWorker(String id) {
        return await(WorkerCalls.remove(id));
    }

    /** The cluster as the answering server sees it. */
    public ClusterView cluster() {
        return await(JobCalls.cluster());
    }

    /**
     * Gives up the calls that are under way, ends the watches and the client's threads; calls after that throw {@link
     * IllegalStateException}. On Java 17 idle connections are closed when the client is garbage, or by the servers.
     */
    @Override
    public void close() {
        transport.close();
    }

    private List<JobOutcome> order(JobOrder order) {
        return await(
                "the order " + order.action().wireName(),
                () -> ManyOrders.send(transport, order),
                HeadmastException.Indeterminate::new);
    }

    private <T> T await(Call<T> call) {
        return await(call.request().toString(), () -> transport.send(call), call::abandoned);
    }

    private static <T> T await(
            String what, Supplier<CompletableFuture<T>> send, Function<String, HeadmastException> abandoned) {
        if (Thread.currentThread().isInterrupted()) {
            throw new HeadmastException.Unavailable(what + " was not sent: the thread is interrupted");
        }
        CompletableFuture<T> result = send.get();
        try {
            return result.get();
        } catch (InterruptedException e) {
            result.cancel(true);
            Thread.currentThread().interrupt();
            HeadmastException failure = abandoned.apply("the thread was interrupted before the answer came");
            failure.initCause(e);
            throw failure;
        } catch (ExecutionException e) {
            throw here(e.getCause() == null ? e : e.getCause());
        }
    }

    /** The same failure with the stack of the thread that called; the original, made on another one, is its cause. */
    private static RuntimeException here(Throwable failure) {
        if (!(failure instanceof HeadmastException reported)) {
            return new IllegalStateException(failure.getMessage(), failure);
        }
        HeadmastException here = HeadmastException.of(
                reported.type(),
                reported.httpStatus(),
                reported.detail(),
                reported.field().orElse(null));
        here.initCause(reported);
        return here;
    }
}
