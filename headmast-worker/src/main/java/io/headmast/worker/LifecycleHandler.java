// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

/**
 * Runs the jobs of a domain, the life-cycle way: it starts something that runs by itself and stops it later, and no
 * thread is held in between. So one worker carries many thousands of jobs.
 *
 * <p>For one job the calls never overlap and come in the order start, stop. For different jobs they may overlap, on a
 * small pool of threads, so both should be quick.
 */
public interface LifecycleHandler {
    /**
     * Starts a job. Once it returns, the job runs, until {@link #stop}, or until the handler says through {@link
     * JobContext#complete()} or {@link JobContext#fail} that it ended by itself.
     *
     * @throws Exception if it can't be started: the job failed, and {@code stop} isn't called
     */
    void start(JobContext context) throws Exception;

    /**
     * Stops a job that was started and has not ended by itself. It must not return before the job has stopped: the job
     * may start elsewhere at once.
     *
     * @throws Exception is logged; the job counts as stopped
     */
    void stop(JobContext context) throws Exception;
}
