// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import java.time.Duration;
import java.util.concurrent.Executor;

/** What handlers run on, and what times them. Thread-safe. */
interface HandlerThreads {
    /** Runs blocking handlers, each for as long as its job runs. */
    Executor blocking();

    /** Runs the calls of life-cycle handlers. */
    Executor lifecycle();

    /** Runs a task in a while, unless it is closed by then. */
    void later(Duration pause, Runnable task);

    /**
     * Nothing is timed any more.
     *
     * @param idle whether nothing runs: else the threads are needed until the last run has ended
     */
    void close(boolean idle);
}
