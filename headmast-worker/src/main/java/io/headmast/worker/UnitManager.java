// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.core.agent.Ending;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs the work itself. The seed's {@code UnitManager}. All methods may be called from any thread and return at once;
 * what becomes of a unit is told to {@link Events}, from any thread.
 */
interface UnitManager extends AutoCloseable {
    /** Why it can't run a job; empty when it can. */
    Optional<String> refusal(Job job);

    /**
     * Starts a job. {@link Events#ended} comes exactly once for each start, whatever happens.
     *
     * @param leaseIsSafe whether the worker may act at that moment
     */
    void start(JobContext.Run run, BooleanSupplier leaseIsSafe, Events events);

    /** Ends a job's run of that epoch; no effect when there is none. */
    void stop(String jobId, long epoch, String reason);

    /** Ends everything. */
    void stopAll(String reason);

    /** Waits until nothing runs, at most that long; whether that is so. */
    boolean awaitIdle(Duration limit) throws InterruptedException;

    /** Ends the manager's own threads; whatever still runs is cancelled. */
    @Override
    void close();

    /** What becomes of units. */
    interface Events {
        void started(String jobId, long epoch);

        void progressed(String jobId, long epoch, String text);

        /** It was told to stop and goes on. */
        void stuck(String jobId, long epoch, String reason);

        void ended(String jobId, long epoch, Ending ending);
    }
}
