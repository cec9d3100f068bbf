// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Commands and reads about jobs, for any server: none of it depends on who leads. The seed's {@code JobManager}.
 *
 * <p>Methods may be called from any thread and return at once. Futures fail with {@link
 * io.headmast.api.HeadmastException} only; one that completes normally means that the change is committed and durable.
 * After {@code Indeterminate} the change may or may not have happened: every command may simply be sent again, except a
 * restart, which may then restart twice unless it is guarded by a revision.
 */
public interface JobManager {
    /**
     * Adds a job. Adding the very same job again is no error, so a caller that lost the answer may repeat it.
     *
     * @return {@code AlreadyExists} if another job has that id, {@code Conflict} while one of that id is being deleted
     */
    CompletableFuture<Added> addJob(Job job);

    /**
     * What adding did.
     *
     * @param created false if the very same job was there already
     */
    record Added(JobView view, boolean created) {}

    /**
     * Adds many jobs; each as {@link #addJob} does, with an outcome of its own: 201, 200 if the very same job was there
     * already, or a problem. Never fails as a whole. Of two with the same id the first is added first.
     *
     * @param limit how long it may take; what isn't known by then is {@code Indeterminate}, and what was not begun
     *     {@code Unavailable}
     * @return one outcome for each, in order
     */
    CompletableFuture<List<JobOutcome>> addJobs(List<Job> jobs, Duration limit);

    /**
     * Replaces a job's record. Its generation is kept by headmast: a change of payload or domain raises it.
     *
     * @param ifRevision the revision that the caller saw; {@code PreconditionFailed} if it was changed since
     */
    default CompletableFuture<JobView> updateJob(Job job, OptionalLong ifRevision) {
        return updateJob(job.id(), stored -> job, ifRevision);
    }

    /**
     * Replaces a job's record by what {@code change} makes of it; the rest is as above.
     *
     * @param change may be asked more than once, and must not change the id
     */
    CompletableFuture<JobView> updateJob(String jobId, UnaryOperator<Job> change, OptionalLong ifRevision);

    /** Carries out an order; see {@link JobAction}. */
    CompletableFuture<JobView> controlJob(String jobId, JobAction action, OptionalLong ifRevision);

    /** The seed's {@code KillJob}: the job stops, its record stays. */
    default CompletableFuture<JobView> killJob(String jobId) {
        return controlJob(jobId, JobAction.KILL, OptionalLong.empty());
    }

    /**
     * Orders that the job be stopped and removed. Once this completes the order is durable; the record goes away when
     * the run has ended.
     *
     * @return {@code NotFound} if there is none
     */
    CompletableFuture<JobView> removeJob(String jobId);

    /**
     * Carries out one order on many jobs; on each as {@link #controlJob} or {@link #removeJob} does, with an outcome of
     * its own: 200, 202 for a deletion, or a problem. Which jobs it is for is decided once, from what this server knows
     * then, which is at least every change it has acknowledged; jobs that are named and not otherwise selected aren't
     * looked up before, and one that doesn't exist has the outcome 404.
     *
     * @param limit as for {@link #addJobs}
     * @return outcomes by ascending id, and where to go on; fails only if the jobs could not be selected
     */
    CompletableFuture<JobOutcomes> orderJobs(JobOrder order, Duration limit);

    /** The job as the store has it now (linearizable); {@code NotFound} if there is none. */
    CompletableFuture<JobView> getJob(String jobId);

    /**
     * A page of jobs by ascending id. Paging is stable: a job that exists all the time is seen exactly once. Sees at
     * least every change acknowledged by this server before the call.
     */
    CompletableFuture<JobPage> getJobs(JobQuery query);

    /** Tells {@code observer} of every change from now on, until the returned handle is closed. */
    Subscription registerObserver(JobObserver observer);
}
