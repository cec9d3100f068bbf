// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

/**
 * The work of a job that goes on in a process, from the handler's start to its end.
 *
 * @param process where
 * @param beganAt by the time that all share
 */
public record Run(WorkerProcess process, String jobId, long epoch, long beganAt) {
    @Override
    public String toString() {
        return jobId + "@" + epoch + " on " + process.name();
    }
}
