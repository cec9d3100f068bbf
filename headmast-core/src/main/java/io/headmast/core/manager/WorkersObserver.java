// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.WorkerView;

/** Is told that a worker was added, updated or deleted; the rules are those of {@link JobObserver}. */
@FunctionalInterface
public interface WorkersObserver {
    /** @param worker as it is now; as it was last when it was deleted */
    void changed(WorkerView worker, ChangeReason reason);
}
