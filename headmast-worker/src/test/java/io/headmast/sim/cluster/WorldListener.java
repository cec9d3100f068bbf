// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.Job;

/** Is told what happens in a world, as it happens. */
public interface WorldListener {
    /** The store has come to another revision. */
    default void committed(Commit commit) {}

    /** Somebody gives an order. */
    default void asked(Asked order) {}

    /** What became of an order is known, as far as it ever will be. */
    default void answered(Asked order) {}

    /** A worker's agent decides to start a job. */
    default void starts(WorkerProcess process, Job job, long epoch) {}

    /** A handler begins to work. */
    default void began(Run run) {}

    /** The work has ended, with its process if not before. */
    default void ended(Run run) {}
}
