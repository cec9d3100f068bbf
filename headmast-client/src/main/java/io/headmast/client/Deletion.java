// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

/** What became of the order to delete a job. */
public enum Deletion {
    /** The order is durable; the job's run is being stopped, and its record goes away once it has ended. */
    STOPPING,
    /** The job is gone. */
    GONE,
    /** There was no such job, or an earlier attempt of this very call has removed it. */
    ABSENT
}
