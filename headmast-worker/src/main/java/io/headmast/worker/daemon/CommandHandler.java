// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.worker.JobContext;
import io.headmast.worker.JobHandler;
import java.time.Duration;
import java.util.Map;

/**
 * Runs a job's command as an OS process. The process ends with the job: it gets TERM, and KILL when it doesn't heed
 * that; and it ends with the worker, however the worker ends. Its output goes where the worker's goes.
 */
final class CommandHandler implements JobHandler {
    private final UnitMarker marker;
    private final Duration termPatience;
    private final Duration killPatience;

    /**
     * @param marker by which the processes of this worker are known
     * @param termPatience how long after TERM a process is killed when its job is stopped
     * @param killPatience the same when the worker has died or lost its lease: must fit into the lease's stop margin
     */
    CommandHandler(UnitMarker marker, Duration termPatience, Duration killPatience) {
        this.marker = marker;
        this.termPatience = termPatience;
        this.killPatience = killPatience;
    }

    @Override
    public void run(JobContext context) throws Exception {
        CommandSpec spec = CommandSpec.parse(context.job().payload());
        String unit = context.job().id() + "/" + context.epoch();
        Map<String, String> identity = Map.of(
                "HEADMAST_JOB_ID",
                context.job().id(),
                "HEADMAST_EPOCH",
                Long.toString(context.epoch()),
                "HEADMAST_ATTEMPT",
                Integer.toString(context.attempt()),
                "HEADMAST_WORKER_ID",
                context.workerId());
        SupervisedProcess process = SupervisedProcess.start(spec, identity, marker.of(unit), killPatience);
        try {
            int code = process.await();
            context.exit(code);
            if (code != 0 && !context.isCancelled()) {
                throw new HeadmastException.Internal(
                        code > 128 ? "ended by signal " + (code - 128) : "exit code " + code);
            }
        } catch (InterruptedException e) {
            // The lease may be lost while the command is given time: then there is none left to give.
            context.exit(process.stop(termPatience, context::holdsLease));
        } finally {
            marker.endAll(unit);
        }
    }
}
