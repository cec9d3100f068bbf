// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Job;
import io.headmast.api.Worker;
import java.util.List;
import java.util.Optional;

/**
 * Decides which worker gets a job. Pure: it reads what it is given and writes nothing but its {@link ScheduleContext};
 * others carry the decision out. Called on the scheduler's thread, so it must be quick and must not block; one that
 * throws or names a worker that is not a candidate costs that placement and a log line, nothing else. It may be asked
 * about a job without placing it, with a copy of the context.
 *
 * <p>{@link #choose} is all that a policy needs. The two methods of the seed's {@code SchedulePolicy} are kept on top of
 * it for callers that have plain lists; they cost time linear in the workers, which is why the scheduler doesn't use
 * them.
 */
public interface SchedulePolicy {
    /** How it is called on the command line. */
    String name();

    /**
     * Chooses among the workers that may have the job now.
     *
     * @return empty when there is none (or the policy would rather wait)
     */
    Optional<String> choose(Job job, Candidates candidates, ScheduleContext context);

    /**
     * Whether running jobs move when some worker has much more room than theirs: one that joined, was uncordoned, or has
     * lost jobs. A job moves only to the worker that {@link #choose} would give it to at that moment, and only if that
     * worker is so much less utilised that the move leaves the two more even; so it does nothing for a policy that
     * prefers other workers than the least utilised. Asked once, when scheduling begins.
     */
    default boolean rebalances() {
        return false;
    }

    /**
     * The seed's {@code DeterminWithJobChanged}: the workers as they should be once {@code job} was added or deleted.
     *
     * @param workers all live workers, with the jobs they have
     * @return the same workers in the same order; at most one has other jobs than before
     */
    default List<Worker> determineWithJobChanged(
            ScheduleContext context, Job job, List<Worker> workers, boolean added) {
        return new ListPlacement(this, context, workers).jobChanged(job, added);
    }

    /**
     * The seed's {@code DeterminWithWorkerChanged}: the workers as they should be once {@code worker} was added or
     * deleted. Jobs of a deleted worker are dealt to the others; an added one begins with the jobs it has.
     *
     * @param workers all live workers, without the one that is added or deleted
     * @return the workers there are afterwards
     */
    default List<Worker> determineWithWorkerChanged(
            ScheduleContext context, Worker worker, List<Worker> workers, boolean added) {
        return new ListPlacement(this, context, workers).workerChanged(worker, added);
    }
}
