// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.time.Duration;

/** What was seen while a fault lasted, and for some time after. */
public interface Aftermath {
    /** Whether a worker's registration went away, or became another process's. */
    boolean registrationChanged(String worker);

    /** Whether the leader key went away, or became another server's. */
    boolean leaderChanged();

    /** Whether a client was not answered, or was told that nobody could help, or waited for longer than that. */
    boolean clientsFelt(Duration wait);

    /** Whether a client was told that the store is full. */
    boolean storeWasFull();
}
