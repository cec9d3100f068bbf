// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.JobView;

/**
 * Is told that a job was added, updated or deleted. Calls come one at a time, in order, on a thread that is not the
 * store's; a slow observer delays nobody but itself, and one that throws is logged and stays registered. The job comes
 * without its payload, which servers don't keep in memory.
 */
@FunctionalInterface
public interface JobObserver {
    /** @param job as it is now; as it was last when it was deleted */
    void changed(JobView job, ChangeReason reason);
}
