// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

/**
 * Runs the jobs of a domain, the blocking way: one thread per job, which {@link #run} holds for as long as the job runs.
 * Right for dozens or hundreds of jobs; for thousands, see {@link LifecycleHandler}.
 */
@FunctionalInterface
public interface JobHandler {
    /**
     * Runs a job until it is done or cancelled.
     *
     * <p>Returning means that the job is completed, unless it was cancelled. Throwing means that it failed, with the
     * exception's message as the reason; its restart policy says what happens next. When the job must stop, {@link
     * JobContext#isCancelled()} turns true and the thread is interrupted; the handler has to return soon, since the job
     * starts elsewhere only after that, or, if the worker lost its lease, as soon as the lease lapses.
     *
     * @param context the job and its fencing token, which belongs with everything the job writes outside
     * @throws Exception for any failure
     */
    void run(JobContext context) throws Exception;
}
